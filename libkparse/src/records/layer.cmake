# SPDX-License-Identifier: MIT
kparse_layer(records
  SOURCES batch_write.cpp entry.cpp inner.cpp message.cpp message_write.cpp record_error.cpp record_writer.cpp records.cpp
  USES decode compress
)
