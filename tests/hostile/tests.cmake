# SPDX-License-Identifier: MIT
# The command against captures that mean it ill. Each script crafts its own.
if(TARGET kparse_command)
  find_package(Python3 COMPONENTS Interpreter)
  if(Python3_FOUND)
    foreach(script secrets escapes)
      add_test(NAME hostile_${script} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/${script}.py $<TARGET_FILE:kparse_command>)
      set_tests_properties(hostile_${script} PROPERTIES TIMEOUT 600)
    endforeach()
  endif()
endif()
