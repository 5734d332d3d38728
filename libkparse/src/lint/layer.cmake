# SPDX-License-Identifier: MIT
# Rules are found, not listed: a file of rules/ is a rule of its name.
file(GLOB lint_rule_files CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_LIST_DIR} ${CMAKE_CURRENT_LIST_DIR}/rules/kp_*.cpp)
set(lint_rules_text "// SPDX-License-Identifier: MIT\n")
foreach(file ${lint_rule_files})
  get_filename_component(name ${file} NAME_WE)
  string(APPEND lint_rules_text "KPARSE_RULE_NAME(${name})\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated-lint/lint_rules.inc CONTENT "${lint_rules_text}" @ONLY)

kparse_layer(lint
  SOURCES body_pass.cpp compaction.cpp conversations.cpp finding_table.cpp linter.cpp odd_varints.cpp record_pass.cpp
          registry.cpp text.cpp
          ${lint_rule_files}
  USES session
)
target_include_directories(kparse_lint PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/generated-lint)
include(${CMAKE_CURRENT_LIST_DIR}/error_severity.cmake)
if(KPARSE_PCH)
  target_precompile_headers(kparse_lint PRIVATE src/lint/rule.h)
endif()
