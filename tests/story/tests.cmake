# SPDX-License-Identifier: MIT
# What groups, txns, trace and diff say, against what brokers and applications say.
if(KPARSE_TOOLS)
  kparse_test(story_test SOURCES details_test.cpp diff_test.cpp groups_test.cpp network_test.cpp trace_test.cpp txns_test.cpp
    USES kparse_tool_groups kparse_tool_txns kparse_tool_trace kparse_tool_diff kparse_tool_details)
  find_package(Python3 COMPONENTS Interpreter)
  if(Python3_FOUND)
    # Only where the captures are: the scripts skip themselves without.
    set(shared $ENV{KPARSE_SHARED})
    if(NOT shared)
      set(shared ${PROJECT_SOURCE_DIR}/../shared)
    endif()
    foreach(script truth damaged)
      add_test(NAME story_${script}
        COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/${script}.py $<TARGET_FILE:kparse_command> ${shared}/captures/real)
      set_tests_properties(story_${script} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
    endforeach()
  endif()
endif()
