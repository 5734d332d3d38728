# SPDX-License-Identifier: MIT
kparse_layer(records
  SOURCES entry.cpp inner.cpp message.cpp record_error.cpp records.cpp
  USES decode compress
)
