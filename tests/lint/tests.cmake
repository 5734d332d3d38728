# SPDX-License-Identifier: MIT
# Lint: a fixture for each rule, traffic that must stay quiet, the reviewed findings of real captures, the catalogue page.
kparse_test(lint_tables_test SOURCES by_serial_test.cpp limits_test.cpp USES kparse_lint)
if(KPARSE_TOOLS)
  kparse_test(lint_fixtures_test SOURCES fixtures_test.cpp quiet_test.cpp variants_test.cpp support.cpp
    USES kparse_tool_craft kparse_tool_pipeline)
  # Tests are listed when the program is linked: a new fixture is a new test.
  file(GLOB fixtures CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/fixtures/*.yaml ${CMAKE_CURRENT_LIST_DIR}/quiet/*.yaml
    ${CMAKE_CURRENT_LIST_DIR}/variants/*.yaml)
  set_property(TARGET lint_fixtures_test APPEND PROPERTY LINK_DEPENDS ${fixtures})

  kparse_test(lint_output_test SOURCES output_test.cpp settings_test.cpp USES kparse_tool_lint)
  kparse_test(audit_test SOURCES audit_test.cpp USES kparse_tool_audit)

  foreach(script reviewed audit)
    kparse_script_test(lint_${script} ${script}.py ${shared}/captures/real)
  endforeach()
  foreach(script command sarif)
    kparse_script_test(lint_${script} ${script}.py ${PROJECT_SOURCE_DIR}/samples/captures)
  endforeach()
endif()
