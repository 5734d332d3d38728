# SPDX-License-Identifier: MIT
# kparse trace: from the producer to the consumers, record by record.
add_library(kparse_tool_trace STATIC trace/context.cpp trace/trace_json.cpp trace/trace_observer.cpp trace/trace_text.cpp)
target_link_libraries(kparse_tool_trace PUBLIC kparse_tool_story kparse_tool_report)
