# SPDX-License-Identifier: MIT
# What groups, txns, trace and diff say, against what brokers and applications say.
if(KPARSE_TOOLS)
  kparse_test(story_test SOURCES details_test.cpp diff_test.cpp groups_test.cpp lookup_test.cpp network_test.cpp trace_test.cpp txns_test.cpp
    USES kparse_tool_groups kparse_tool_txns kparse_tool_trace kparse_tool_diff kparse_tool_details)
  foreach(script truth damaged)
    kparse_script_test(story_${script} ${script}.py ${shared}/captures/real)
  endforeach()
endif()
