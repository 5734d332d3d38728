# SPDX-License-Identifier: MIT
add_test(NAME layers COMMAND ${CMAKE_CURRENT_LIST_DIR}/check.sh)
