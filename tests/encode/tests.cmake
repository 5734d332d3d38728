# SPDX-License-Identifier: MIT
find_package(RapidJSON REQUIRED)
kparse_test(encode_test TOGETHER
  SOURCES ../decode/support.cpp ../dump/json_check.cpp ../../tools/commands/json_source.cpp encoding.cpp generator.cpp
          golden_test.cpp refusal_test.cpp values_test.cpp frame_test.cpp writer_test.cpp property_test.cpp
  USES kparse_encode kparse_dump)
target_include_directories(encode_test SYSTEM PRIVATE ${RAPIDJSON_INCLUDE_DIRS})
target_include_directories(encode_test PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../decode ${CMAKE_CURRENT_LIST_DIR}/../dump
                                               ${PROJECT_SOURCE_DIR}/tools)
