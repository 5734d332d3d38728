# SPDX-License-Identifier: MIT
kparse_test(tls_test TOGETHER
  SOURCES conversation_test.cpp fuzz.cpp gap_test.cpp hostile_test.cpp key_log_test.cpp record_test.cpp sealed_test.cpp support.cpp vectors_test.cpp
  USES kparse_tls kparse_wire OpenSSL::Crypto)
kparse_test(tls_captures_test SOURCES captures_test.cpp loss_test.cpp streams.cpp USES kparse_tls kparse_wire kparse_tool_capture)

kparse_script_test(tls_damaged damaged.py ${shared}/captures/tls)

# See tests/fuzz/run.sh.
if(KPARSE_FUZZ)
  foreach(target records key_log)
    add_executable(fuzz_tls_${target} ${PROJECT_SOURCE_DIR}/tests/fuzz/fuzz_main.cpp ${CMAKE_CURRENT_LIST_DIR}/fuzz.cpp ${CMAKE_CURRENT_LIST_DIR}/support.cpp)
    set_target_properties(fuzz_tls_${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    target_compile_definitions(fuzz_tls_${target} PRIVATE KPARSE_FUZZ_TARGET=${target} KPARSE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    target_link_options(fuzz_tls_${target} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(fuzz_tls_${target} PRIVATE kparse_tls kparse_wire OpenSSL::Crypto GTest::gtest)
  endforeach()
endif()
