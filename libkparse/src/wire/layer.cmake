# SPDX-License-Identifier: MIT
kparse_layer(wire
  SOURCES crc.cpp error.cpp tls_info.cpp varint.cpp writer.cpp
  LIBRARIES PkgConfig::ISAL
)
