# SPDX-License-Identifier: MIT
if(TARGET kparse_tool_report)
  kparse_test(report_test
    SOURCES bounded_table_test.cpp header_kind_test.cpp histogram_test.cpp json_test.cpp observer_test.cpp records_test.cpp text_test.cpp
    USES kparse_tool_report kparse_tool_pipeline)
endif()
