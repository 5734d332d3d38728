# SPDX-License-Identifier: MIT
add_library(kparse_tool_pipeline STATIC pipeline/dialog.cpp pipeline/filter.cpp pipeline/pipeline.cpp
  pipeline/reading.cpp pipeline/secret_store.cpp pipeline/tls_gate.cpp)
target_include_directories(kparse_tool_pipeline PUBLIC ${PROJECT_SOURCE_DIR}/tools)
target_link_libraries(kparse_tool_pipeline PUBLIC kparse_tool_capture kparse_tool_output kparse kparse_tls absl::flat_hash_map absl::flat_hash_set)
