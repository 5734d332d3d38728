# SPDX-License-Identifier: MIT
# What `kparse records` and `kparse frames` make of events. Knows nothing of captures.
add_library(kparse_tool_records STATIC
  records/carriers_out.cpp records/client_ids.cpp records/frame_summary.cpp records/internal_decoder.cpp
  records/produce_hold.cpp records/record_json.cpp records/record_observer.cpp records/record_text.cpp)
target_include_directories(kparse_tool_records PUBLIC ${PROJECT_SOURCE_DIR}/tools)
target_link_libraries(kparse_tool_records PUBLIC kparse_tool_output kparse absl::btree absl::flat_hash_map)
