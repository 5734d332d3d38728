# SPDX-License-Identifier: MIT
# Scripts to captures, and what the command then says of them.
if(KPARSE_TOOLS)
  kparse_test(craft_test SOURCES craft_test.cpp packets_test.cpp samples_test.cpp ../cli/captures.cpp ../cli/process.cpp USES kparse kparse_tool_capture)
  add_dependencies(craft_test kparse_command)
  target_compile_definitions(craft_test PRIVATE KPARSE_COMMAND="$<TARGET_FILE:kparse_command>")
  find_package(Python3 COMPONENTS Interpreter)
  if(Python3_FOUND)
    set(shared $ENV{KPARSE_SHARED})
    if(NOT shared)
      set(shared ${PROJECT_SOURCE_DIR}/../shared)
    endif()
    # The samples everywhere; the real captures only where they are: the script skips itself without.
    add_test(NAME craft_round_trip_samples COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/round_trip.py $<TARGET_FILE:kparse_command> ${PROJECT_SOURCE_DIR}/samples/captures)
    add_test(NAME craft_round_trip COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/round_trip.py $<TARGET_FILE:kparse_command> ${shared}/captures/real --limit 20)
    set_tests_properties(craft_round_trip craft_round_trip_samples PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
  endif()
endif()
