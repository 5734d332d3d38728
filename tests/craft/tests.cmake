# SPDX-License-Identifier: MIT
# Scripts to captures, and what the command then says of them.
if(KPARSE_TOOLS)
  kparse_test(craft_test SOURCES craft_test.cpp packets_test.cpp samples_test.cpp ../cli/captures.cpp ../cli/process.cpp USES kparse kparse_tool_capture)
  add_dependencies(craft_test kparse_command)
  target_compile_definitions(craft_test PRIVATE KPARSE_COMMAND="$<TARGET_FILE:kparse_command>")
  # The samples everywhere; the real captures only where they are.
  kparse_script_test(craft_round_trip_samples round_trip.py ${PROJECT_SOURCE_DIR}/samples/captures)
  kparse_script_test(craft_round_trip round_trip.py ${shared}/captures/real --limit 20)
endif()
