# SPDX-License-Identifier: MIT
# kparse diff: what changed between two captures or reports.
add_library(kparse_tool_diff STATIC diff/compare.cpp diff/diff_out.cpp diff/profile.cpp)
target_include_directories(kparse_tool_diff PUBLIC ${PROJECT_SOURCE_DIR}/tools)
target_include_directories(kparse_tool_diff SYSTEM PUBLIC ${RAPIDJSON_INCLUDE_DIRS})
target_link_libraries(kparse_tool_diff PUBLIC kparse kparse_tool_output)
