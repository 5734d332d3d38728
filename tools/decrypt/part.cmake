# SPDX-License-Identifier: MIT
# What `kparse decrypt` writes: the inside of TLS as packets and as files, a capture with its secrets.
add_library(kparse_tool_decrypt STATIC decrypt/embed.cpp decrypt/inner_capture.cpp decrypt/packets.cpp decrypt/stream_files.cpp)
target_include_directories(kparse_tool_decrypt PUBLIC ${PROJECT_SOURCE_DIR}/tools)
target_link_libraries(kparse_tool_decrypt PUBLIC kparse_tool_capture kparse_tool_output kparse_tool_pipeline kparse kparse_tls)
