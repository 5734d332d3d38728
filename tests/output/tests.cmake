# SPDX-License-Identifier: MIT
if(KPARSE_TOOLS)
  kparse_test(output_test SOURCES output_test.cpp text_test.cpp human_test.cpp csv_test.cpp whole_file_test.cpp USES kparse_tool_output)
endif()
