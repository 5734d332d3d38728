# SPDX-License-Identifier: MIT
kparse_test(schema_test
  SOURCES layout_test.cpp lookup_test.cpp releases_test.cpp marks_test.cpp
  USES kparse_schema)
if(RapidJSON_FOUND)
  kparse_test(kschema_test
    SOURCES compile_test.cpp import_test.cpp
    USES kschema_core)
endif()
if(KPARSE_TOOLS)
  kparse_test(schema_command_test SOURCES command_test.cpp USES kparse_tool_commands)
endif()
