# SPDX-License-Identifier: MIT
find_package(RapidJSON REQUIRED)
kparse_test(dump_test
  SOURCES ../decode/support.cpp json_check.cpp writer_test.cpp golden_test.cpp redaction_test.cpp damage_test.cpp payload_test.cpp
          sasl_test.cpp telemetry_test.cpp sibling_test.cpp records_json_test.cpp text_test.cpp guide_test.cpp
  USES kparse_dump)
target_include_directories(dump_test SYSTEM PRIVATE ${RAPIDJSON_INCLUDE_DIRS})
target_include_directories(dump_test PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../decode)
