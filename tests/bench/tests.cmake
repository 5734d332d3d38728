# SPDX-License-Identifier: MIT
# Measured, not tested: cmake --build build/release --target tls_bench && build/release/tests/tls_bench
add_executable(tls_bench EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/tls_bench.cpp ${CMAKE_CURRENT_LIST_DIR}/../tls/support.cpp)
set_target_properties(tls_bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
target_include_directories(tls_bench PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../tls)
target_compile_definitions(tls_bench PRIVATE KPARSE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_link_libraries(tls_bench PRIVATE kparse_tls kparse_wire OpenSSL::Crypto GTest::gtest)
