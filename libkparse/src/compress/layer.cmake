# SPDX-License-Identifier: MIT
kparse_layer(compress
  SOURCES compress.cpp gzip.cpp gzip_write.cpp snappy.cpp snappy_write.cpp lz4.cpp lz4_write.cpp xxh32.cpp zstd.cpp zstd_write.cpp
  USES wire
  LIBRARIES PkgConfig::ISAL PkgConfig::SNAPPY PkgConfig::LZ4 PkgConfig::ZSTD
)
