# SPDX-License-Identifier: MIT
# What `kparse report --details` adds.
add_library(kparse_tool_details STATIC details/detail_json.cpp details/detail_observer.cpp details/detail_text.cpp
  details/network_observer.cpp details/network_out.cpp
  details/produced_times.cpp)
target_link_libraries(kparse_tool_details PUBLIC kparse_tool_groups kparse_tool_txns kparse_tool_report kparse_tool_capture
  absl::flat_hash_map)
