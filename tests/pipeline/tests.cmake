# SPDX-License-Identifier: MIT
if(TARGET kparse_tool_pipeline)
  kparse_test(pipeline_test SOURCES filter_test.cpp USES kparse_tool_pipeline)
endif()
