# SPDX-License-Identifier: MIT
# Lint: a fixture for each rule, traffic that must stay quiet, the reviewed findings of real captures, the catalogue page.
kparse_test(lint_tables_test SOURCES by_serial_test.cpp USES kparse_lint)
if(KPARSE_TOOLS)
  kparse_test(lint_fixtures_test SOURCES fixtures_test.cpp quiet_test.cpp support.cpp
    USES kparse_tool_craft kparse_tool_pipeline)
  # Tests are listed when the program is linked: a new fixture is a new test.
  file(GLOB fixtures CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/fixtures/*.yaml ${CMAKE_CURRENT_LIST_DIR}/quiet/*.yaml)
  set_property(TARGET lint_fixtures_test APPEND PROPERTY LINK_DEPENDS ${fixtures})

  kparse_test(lint_output_test SOURCES output_test.cpp settings_test.cpp USES kparse_tool_lint)
  kparse_test(audit_test SOURCES audit_test.cpp USES kparse_tool_audit)

  find_package(Python3 COMPONENTS Interpreter)
  if(Python3_FOUND AND TARGET kparse_command)
    set(shared $ENV{KPARSE_SHARED})
    if(NOT shared)
      set(shared ${PROJECT_SOURCE_DIR}/../shared)
    endif()
    foreach(script reviewed audit)
      add_test(NAME lint_${script}
        COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/${script}.py $<TARGET_FILE:kparse_command> ${shared}/captures/real)
      set_tests_properties(lint_${script} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
    endforeach()
    foreach(script command sarif)
      add_test(NAME lint_${script} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/${script}.py
        $<TARGET_FILE:kparse_command> ${PROJECT_SOURCE_DIR}/samples/captures)
    endforeach()
  endif()
endif()
