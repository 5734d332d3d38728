# SPDX-License-Identifier: MIT
kparse_test(upgrade_test
  SOURCES upgrade_test.cpp
  USES kparse_schema)
