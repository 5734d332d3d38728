# SPDX-License-Identifier: MIT
# Against Kafka's own Java classes, where Java and Maven are: run.sh says plainly when they aren't.
find_package(RapidJSON REQUIRED)
set(interop ${CMAKE_CURRENT_LIST_DIR})
add_executable(interop
  ${interop}/main.cpp ${interop}/records.cpp ${interop}/xerial.cpp ${interop}/messages.cpp
  ${interop}/../encode/encoding.cpp ${interop}/../encode/generator.cpp ${interop}/../decode/support.cpp
  ${interop}/../dump/json_check.cpp ${interop}/../../tools/commands/json_source.cpp)
set_target_properties(interop PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
target_link_libraries(interop PRIVATE kparse_records kparse_encode kparse_dump GTest::gtest)
target_include_directories(interop SYSTEM PRIVATE ${RAPIDJSON_INCLUDE_DIRS})
target_include_directories(interop PRIVATE ${interop}/../encode ${interop}/../decode ${interop}/../dump
                                           ${PROJECT_SOURCE_DIR}/tools)
target_compile_definitions(interop PRIVATE KPARSE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" KPARSE_BINARY_DIR="${CMAKE_BINARY_DIR}")
add_test(NAME interop_kafka_clients
  COMMAND ${interop}/run.sh $<TARGET_FILE:interop> ${CMAKE_BINARY_DIR}/interop)
set_tests_properties(interop_kafka_clients PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
