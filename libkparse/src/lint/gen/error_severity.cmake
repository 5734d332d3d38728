# SPDX-License-Identifier: MIT
# cmake -DIN=error_severity.txt -DOUT=error_severity_table.inc -P error_severity.cmake: the rows of the table as C++.
file(READ ${IN} text)
string(REPLACE ";" "<semicolon>" text "${text}")  # else a list would end there
string(REPLACE "\\" "\\\\" text "${text}")
string(REPLACE "\"" "\\\"" text "${text}")
string(REGEX REPLACE "\n+" ";" lines "${text}")

set(rules_out "")
set(rows_out "")
set(code "")

macro(finish_row)
  if(NOT code STREQUAL "")
    if(advice STREQUAL "")
      message(FATAL_ERROR "${IN}: code ${code} has no advice")
    endif()
    if(NOT instead STREQUAL "")
      string(REGEX REPLACE " +" "\", \"" instead "${instead}")
      string(REPLACE "-" "minus_" name "${code}")
      string(APPEND rules_out "constexpr std::string_view instead_${name}[] = {\"${instead}\"};\n")
      set(instead "instead_${name}")
    else()
      set(instead "{}")
    endif()
    string(APPEND rows_out
      "    {${code}, \"${error_name}\", Severity::${severity}, \"${kind}\", \"${but}\", ${instead}, \"${advice}\"},\n")
  endif()
endmacro()

foreach(line IN LISTS lines)
  if(line MATCHES "^ +but +([A-Za-z]+) (error|warning|notice|info)$")
    string(APPEND but "${CMAKE_MATCH_1}=${CMAKE_MATCH_2} ")
  elseif(line MATCHES "^ +instead +([A-Z0-9 -]+)$")
    set(instead "${CMAKE_MATCH_1}")
  elseif(line MATCHES "^ +advice +(.+)$")
    set(advice "${CMAKE_MATCH_1}")
  elseif(line MATCHES "^(-?[0-9]+) ([A-Z_]+) (error|warning|notice|info) ([a-z-]+)$")
    set(match ${CMAKE_MATCH_1} ${CMAKE_MATCH_2} ${CMAKE_MATCH_3} ${CMAKE_MATCH_4})
    finish_row()
    list(GET match 0 code)
    list(GET match 1 error_name)
    list(GET match 2 severity)
    list(GET match 3 kind)
    set(but "")
    set(instead "")
    set(advice "")
  elseif(NOT line MATCHES "^(#.*)?$")
    message(FATAL_ERROR "${IN}: what is this? ${line}")
  endif()
endforeach()
finish_row()

string(REPLACE "<semicolon>" ";" rows_out "${rows_out}")
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT
"// SPDX-License-Identifier: MIT
${rules_out}constexpr ErrorAdvice rows[] = {
${rows_out}};
")
