# SPDX-License-Identifier: MIT
kparse_test(compress_test TOGETHER
  SOURCES support.cpp checksums_test.cpp gzip_test.cpp snappy_test.cpp lz4_test.cpp zstd_test.cpp limits_test.cpp write_test.cpp
  USES kparse_compress)
