# SPDX-License-Identifier: MIT
kparse_test(session_test TOGETHER
  SOURCES cluster_test.cpp details_groups_test.cpp details_tables_test.cpp details_test.cpp interpreter_test.cpp request_memory_test.cpp snapshot_joiner_test.cpp
  USES kparse_session kparse_dump)
if(KPARSE_TOOLS)
  kparse_test(records_command_test SOURCES record_lines_test.cpp record_observer_test.cpp USES kparse_tool_records)
endif()
