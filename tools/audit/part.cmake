# SPDX-License-Identifier: MIT
# kparse audit: which clients break on a broker upgrade (KIP-896).
add_library(kparse_tool_audit STATIC
  audit/audit.cpp audit/audit_json.cpp audit/audit_observer.cpp audit/audit_text.cpp audit/libraries.cpp audit/verdict.cpp)
target_link_libraries(kparse_tool_audit PUBLIC kparse_tool_story)
