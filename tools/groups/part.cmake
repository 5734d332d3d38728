# SPDX-License-Identifier: MIT
# kparse groups: what happened to consumer groups, share groups, Streams applications, Connect clusters.
add_library(kparse_tool_groups STATIC
  groups/classic.cpp groups/epochs.cpp groups/group_json.cpp groups/group_observer.cpp groups/group_state.cpp
  groups/group_text.cpp)
target_link_libraries(kparse_tool_groups PUBLIC kparse_tool_story)
