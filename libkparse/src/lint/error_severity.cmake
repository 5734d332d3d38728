# SPDX-License-Identifier: MIT
# The table of error codes, from its text. Included by layer.cmake, after the layer.
set(table ${CMAKE_CURRENT_BINARY_DIR}/generated-lint/error_severity_table.inc)
add_custom_command(
  OUTPUT ${table}
  COMMAND ${CMAKE_COMMAND} -DIN=${CMAKE_CURRENT_LIST_DIR}/error_severity.txt -DOUT=${table}
          -P ${CMAKE_CURRENT_LIST_DIR}/gen/error_severity.cmake
  DEPENDS ${CMAKE_CURRENT_LIST_DIR}/error_severity.txt ${CMAKE_CURRENT_LIST_DIR}/gen/error_severity.cmake
  COMMENT "Compiling the table of error codes"
  VERBATIM)
target_sources(kparse_lint PRIVATE ${CMAKE_CURRENT_LIST_DIR}/error_severity.cpp ${table})
