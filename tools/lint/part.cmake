# SPDX-License-Identifier: MIT
# kparse lint and kparse rules: findings and the catalogue, written; settings, configuration, baseline.
add_library(kparse_tool_lint STATIC
  lint/baseline.cpp lint/catalogue.cpp lint/catalogue_page.cpp lint/config.cpp lint/findings_json.cpp
  lint/findings_sarif.cpp lint/findings_text.cpp lint/settings.cpp lint/wrap.cpp)
find_path(TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)
target_include_directories(kparse_tool_lint PRIVATE SYSTEM ${TOMLPLUSPLUS_INCLUDE})
target_link_libraries(kparse_tool_lint PUBLIC kparse_tool_story)
target_include_directories(kparse_tool_lint SYSTEM PRIVATE ${RAPIDJSON_INCLUDE_DIRS})
