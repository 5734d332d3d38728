# SPDX-License-Identifier: MIT
# Installs to a prefix of its own and builds a program against it, by the CMake package and by pkg-config.
# Not with sanitizers: the installed library would need them.
if(NOT KPARSE_SANITIZE)
  add_test(NAME package COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}/tests/package -DBUILD=${PROJECT_BINARY_DIR}
           -DCXX=${CMAKE_CXX_COMPILER} "-DGENERATOR=${CMAKE_GENERATOR}" -DVERSION=${PROJECT_VERSION} -P ${PROJECT_SOURCE_DIR}/tests/package/check.cmake)
  set_tests_properties(package PROPERTIES TIMEOUT 600)
endif()
