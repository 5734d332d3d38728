# SPDX-License-Identifier: MIT
find_package(RapidJSON REQUIRED)
kparse_test(headers_test
  SOURCES support.cpp carriers_test.cpp discriminator_test.cpp draft_ints_test.cpp draft_test.cpp draft_records_test.cpp
    headers_test.cpp property_test.cpp register_test.cpp vectors_test.cpp wrappers_test.cpp
  USES kparse_headers)
target_include_directories(headers_test SYSTEM PRIVATE ${RAPIDJSON_INCLUDE_DIRS})
