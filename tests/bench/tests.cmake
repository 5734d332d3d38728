# SPDX-License-Identifier: MIT
# Measured, not tested: cmake --build build/release --target tls_bench && build/release/tests/tls_bench
add_executable(tls_bench EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/tls_bench.cpp ${CMAKE_CURRENT_LIST_DIR}/../tls/support.cpp)
set_target_properties(tls_bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
target_include_directories(tls_bench PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../tls)
target_compile_definitions(tls_bench PRIVATE KPARSE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_link_libraries(tls_bench PRIVATE kparse_tls kparse_wire OpenSSL::Crypto GTest::gtest)

# Google Benchmark, stage by stage. In the test run: does it run, are there frames and records; no clock decides.
find_package(benchmark QUIET)
if(benchmark_FOUND AND TARGET kparse_tool_report)
  add_executable(stages_bench ${CMAKE_CURRENT_LIST_DIR}/stages_bench.cpp)
  set_target_properties(stages_bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_compile_definitions(stages_bench PRIVATE KPARSE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(stages_bench PRIVATE kparse kparse_tool_capture kparse_tool_report benchmark::benchmark)
  add_test(NAME bench_stages COMMAND stages_bench --benchmark_min_time=0.01)
  set_tests_properties(bench_stages PROPERTIES FAIL_REGULAR_EXPRESSION "ERROR OCCURRED" TIMEOUT 120)
else()
  message(STATUS "No Google Benchmark (libbenchmark-dev): stages_bench is not built")
endif()

# Instructions per packet, frame and record, against a committed figure: of the optimised build only.
find_package(Python3 COMPONENTS Interpreter QUIET)
if(Python3_FOUND AND TARGET kparse_command AND CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo" AND NOT KPARSE_SANITIZE)
  add_test(NAME bench_instructions COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/instructions.py $<TARGET_FILE:kparse_command>)
  set_tests_properties(bench_instructions PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
endif()
