# SPDX-License-Identifier: MIT
kparse_layer(compress
  SOURCES compress.cpp gzip.cpp snappy.cpp lz4.cpp zstd.cpp
  USES wire
  LIBRARIES PkgConfig::ISAL PkgConfig::SNAPPY PkgConfig::LZ4 PkgConfig::ZSTD
)
