# SPDX-License-Identifier: MIT
# kparse txns: idempotent and transactional producers, and their transactions.
add_library(kparse_tool_txns STATIC txns/txn_json.cpp txns/txn_markers.cpp txns/txn_observer.cpp txns/txn_text.cpp)
target_link_libraries(kparse_tool_txns PUBLIC kparse_tool_story)
