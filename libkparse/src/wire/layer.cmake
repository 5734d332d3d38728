# SPDX-License-Identifier: MIT
kparse_layer(wire
  SOURCES crc.cpp error.cpp varint.cpp
  LIBRARIES PkgConfig::ISAL
)
