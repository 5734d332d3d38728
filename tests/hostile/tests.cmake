# SPDX-License-Identifier: MIT
# The command against captures that mean it ill, or that lack something. The scripts make their own.
kparse_test(hostile_classes_test SOURCES classes_test.cpp USES kparse_dump kparse_records kparse_encode kparse_decode)
foreach(test secrets escapes limits)
  kparse_script_test(hostile_${test} ${test}.py)
endforeach()
kparse_script_test(hostile_transforms transforms.py ${shared})
if(TARGET kparse_command AND KPARSE_HARDEN AND NOT KPARSE_SANITIZE AND CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
  add_test(NAME hostile_hardening COMMAND ${CMAKE_CURRENT_LIST_DIR}/hardening.sh $<TARGET_FILE:kparse_command>)
endif()
