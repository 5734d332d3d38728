# SPDX-License-Identifier: MIT
# What the commands that tell stories (groups, txns, trace) share: topics as numbers, who speaks, JSON members.
add_library(kparse_tool_story STATIC story/json.cpp story/people.cpp story/topic_index.cpp)
target_include_directories(kparse_tool_story PUBLIC ${PROJECT_SOURCE_DIR}/tools)
target_link_libraries(kparse_tool_story PUBLIC kparse kparse_tool_output fmt::fmt absl::flat_hash_map)
