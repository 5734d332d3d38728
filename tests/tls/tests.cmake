# SPDX-License-Identifier: MIT
kparse_test(tls_test
  SOURCES conversation_test.cpp fuzz.cpp gap_test.cpp hostile_test.cpp key_log_test.cpp record_test.cpp sealed_test.cpp support.cpp vectors_test.cpp
  USES kparse_tls kparse_wire OpenSSL::Crypto)
kparse_test(tls_captures_test SOURCES captures_test.cpp loss_test.cpp streams.cpp USES kparse_tls kparse_wire kparse_tool_capture)

if(TARGET kparse_command)
  find_package(Python3 COMPONENTS Interpreter)
  if(Python3_FOUND)
    # Only where the captures are: the script skips itself without.
    set(shared $ENV{KPARSE_SHARED})
    if(NOT shared)
      set(shared ${PROJECT_SOURCE_DIR}/../shared)
    endif()
    add_test(NAME tls_damaged
      COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/damaged.py $<TARGET_FILE:kparse_command> ${shared}/captures/tls)
    set_tests_properties(tls_damaged PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
  endif()
endif()

# See tests/fuzz/run.sh.
if(KPARSE_FUZZ)
  foreach(target records key_log)
    add_executable(fuzz_tls_${target} ${CMAKE_CURRENT_LIST_DIR}/fuzz_main.cpp ${CMAKE_CURRENT_LIST_DIR}/fuzz.cpp ${CMAKE_CURRENT_LIST_DIR}/support.cpp)
    set_target_properties(fuzz_tls_${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    target_compile_definitions(fuzz_tls_${target} PRIVATE KPARSE_FUZZ_TARGET=${target} KPARSE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    target_link_options(fuzz_tls_${target} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(fuzz_tls_${target} PRIVATE kparse_tls kparse_wire OpenSSL::Crypto GTest::gtest)
  endforeach()
endif()
