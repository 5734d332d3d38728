# SPDX-License-Identifier: MIT
if(TARGET kparse_tool_report)
  find_package(RapidJSON REQUIRED)
  kparse_test(report_test TOGETHER
    SOURCES support.cpp bounded_table_test.cpp carrier_tally_test.cpp histogram_test.cpp json_test.cpp
      observer_test.cpp records_test.cpp text_test.cpp tls_test.cpp workers_test.cpp
    USES kparse_tool_report)
  target_include_directories(report_test SYSTEM PRIVATE ${RAPIDJSON_INCLUDE_DIRS})
endif()
kparse_script_test(report_merge merge.py ${PROJECT_SOURCE_DIR}/samples/captures)
