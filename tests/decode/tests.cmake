# SPDX-License-Identifier: MIT
find_package(RapidJSON REQUIRED)
kparse_test(decode_test TOGETHER
  SOURCES support.cpp walk_test.cpp header_test.cpp layout_for_test.cpp property_test.cpp
  USES kparse_decode kparse_compress)
target_include_directories(decode_test SYSTEM PRIVATE ${RAPIDJSON_INCLUDE_DIRS})
