# SPDX-License-Identifier: MIT
execute_process(COMMAND ${PROGRAM} ${INPUT} OUTPUT_VARIABLE got RESULT_VARIABLE status)
file(READ ${EXPECTED} expected)
if(NOT status EQUAL 0 OR NOT got STREQUAL expected)
  message(FATAL_ERROR "status ${status}, printed:\n${got}expected:\n${expected}")
endif()
