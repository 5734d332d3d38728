# SPDX-License-Identifier: MIT
# The command as its callers see it: process in, text and exit status out.
if(KPARSE_TOOLS)
  kparse_test(cli_options_test SOURCES parse_test.cpp options_test.cpp USES kparse_tool_commands)

  foreach(test inputs outputs large encode headers carriers tls)
    kparse_test(cli_${test}_test SOURCES ${test}_test.cpp captures.cpp process.cpp USES kparse)
    add_dependencies(cli_${test}_test kparse_command)
    target_compile_definitions(cli_${test}_test PRIVATE KPARSE_COMMAND="$<TARGET_FILE:kparse_command>" KPARSE_VERSION="${PROJECT_VERSION}")
  endforeach()
  find_package(Python3 COMPONENTS Interpreter)
  if(Python3_FOUND)
    add_test(NAME python_kafka_xerial COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/python_kafka_xerial.py $<TARGET_FILE:kparse_command>)
    set_tests_properties(python_kafka_xerial PROPERTIES SKIP_RETURN_CODE 77)
  endif()
  find_package(ZLIB REQUIRED)
  target_link_libraries(cli_large_test PRIVATE ZLIB::ZLIB)
endif()
