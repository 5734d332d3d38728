# SPDX-License-Identifier: MIT
find_package(RapidJSON REQUIRED)
kparse_test(records_test
  SOURCES support.cpp golden_test.cpp varint_vectors_test.cpp batch_test.cpp message_test.cpp damage_test.cpp writer_test.cpp rewrite_test.cpp random_test.cpp
  USES kparse_records)
target_include_directories(records_test SYSTEM PRIVATE ${RAPIDJSON_INCLUDE_DIRS})
