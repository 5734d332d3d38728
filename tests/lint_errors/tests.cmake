# SPDX-License-Identifier: MIT
kparse_test(lint_errors_test SOURCES error_severity_test.cpp USES kparse_lint)
