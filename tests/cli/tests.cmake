# SPDX-License-Identifier: MIT
if(KPARSE_TOOLS)
  kparse_test(cli_options_test SOURCES parse_test.cpp options_test.cpp USES kparse_tool_commands)
endif()
