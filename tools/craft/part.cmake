# SPDX-License-Identifier: MIT
# What `kparse craft` does: a script to the packets of a conversation.
find_package(yaml-cpp REQUIRED)
add_library(kparse_tool_craft STATIC craft/base64.cpp craft/item.cpp craft/message.cpp craft/record_set.cpp
  craft/script_reader.cpp craft/time.cpp craft/timeline.cpp craft/yaml.cpp)
target_include_directories(kparse_tool_craft PUBLIC ${PROJECT_SOURCE_DIR}/tools)
target_link_libraries(kparse_tool_craft PUBLIC kparse_tool_capture kparse fmt::fmt PRIVATE yaml-cpp)
