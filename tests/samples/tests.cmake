# SPDX-License-Identifier: MIT
# The sample programs, and the example of libkparse/README.md, are built and give what they promise.
set(sample_code ${PROJECT_SOURCE_DIR}/samples/code)

function(kparse_sample name source)
  add_executable(sample_${name} ${source})
  set_target_properties(sample_${name} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/samples)
  target_link_libraries(sample_${name} PRIVATE kparse::kparse)
  cmake_parse_arguments(arg "" "INPUT;EXPECTED" "" ${ARGN})
  add_test(NAME sample_${name} COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:sample_${name}> -DINPUT=${arg_INPUT}
           -DEXPECTED=${arg_EXPECTED} -P ${PROJECT_SOURCE_DIR}/tests/samples/compare.cmake)
endfunction()

kparse_sample(count_headers ${sample_code}/count_headers.cpp
  INPUT ${sample_code}/records.bin EXPECTED ${CMAKE_CURRENT_LIST_DIR}/count_headers.txt)
kparse_sample(list_requests ${sample_code}/list_requests.cpp
  INPUT ${sample_code}/requests.bin EXPECTED ${CMAKE_CURRENT_LIST_DIR}/list_requests.txt)
foreach(name write_headers xerial draft_and_shipped)
  kparse_sample(${name} ${sample_code}/${name}.cpp EXPECTED ${CMAKE_CURRENT_LIST_DIR}/${name}.txt)
endforeach()

file(READ ${PROJECT_SOURCE_DIR}/libkparse/README.md readme)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/libkparse/README.md)
string(REGEX MATCH "```cpp\n([^`]*)```" example "${readme}")
if(NOT example)
  message(FATAL_ERROR "libkparse/README.md has no example")
endif()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/samples/readme_example.cpp CONTENT "@CMAKE_MATCH_1@" @ONLY)
kparse_sample(readme_example ${CMAKE_BINARY_DIR}/samples/readme_example.cpp EXPECTED ${CMAKE_CURRENT_LIST_DIR}/readme_example.txt)

find_package(Python3 COMPONENTS Interpreter QUIET)
if(TARGET kparse_command AND Python3_FOUND)
  add_test(NAME readme_commands COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/readme_commands.py
    $<TARGET_FILE:kparse_command> ${PROJECT_SOURCE_DIR}/libkparse/README.md ${PROJECT_SOURCE_DIR})
endif()
