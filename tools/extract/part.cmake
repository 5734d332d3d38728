# SPDX-License-Identifier: MIT
# What `kparse extract` does: frames out of captures as a small capture, without secrets if wanted.
add_library(kparse_tool_extract STATIC extract/copier.cpp extract/names.cpp extract/redact_frame.cpp
  extract/redact_records.cpp extract/selection.cpp)
target_include_directories(kparse_tool_extract PUBLIC ${PROJECT_SOURCE_DIR}/tools)
target_link_libraries(kparse_tool_extract PUBLIC kparse_tool_decrypt kparse_tool_pipeline kparse_tool_capture kparse_tool_output kparse)
