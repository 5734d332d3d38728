# SPDX-License-Identifier: MIT
# Commands, in the order of `kparse --help`: each is commands/NAME_command.cpp, which defines make_NAME_command().
set(kparse_commands report frames dump records decode encode schema headers xerial groups txns trace diff lint audit rules decrypt craft extract)

set(declarations "")
set(rows "")
foreach(command ${kparse_commands})
  string(APPEND declarations "std::unique_ptr<Command> make_${command}_command();\n")
  string(APPEND rows "      {\"${command}\", make_${command}_command},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/commands/table.cpp CONTENT
[[// Written by CMake from tools/commands/part.cmake.
#include "commands/command.h"

namespace kparse::cli {

@declarations@
const std::vector<CommandRow>& command_table() {
  static const std::vector<CommandRow> rows = {
@rows@  };
  return rows;
}

}  // namespace kparse::cli
]] @ONLY)

# A library, so that tests can call what is in it; the executable is main.cpp alone.
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/commands/*.cpp)
list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/commands/main.cpp)
add_library(kparse_tool_commands STATIC ${sources} ${CMAKE_CURRENT_BINARY_DIR}/commands/table.cpp)
target_include_directories(kparse_tool_commands PUBLIC ${PROJECT_SOURCE_DIR}/tools)
target_link_libraries(kparse_tool_commands PUBLIC kparse_tool_output CLI11::CLI11 kparse)
foreach(part capture pipeline decrypt records report groups txns trace diff details craft extract lint audit)
  if(TARGET kparse_tool_${part})
    target_link_libraries(kparse_tool_commands PUBLIC kparse_tool_${part})
  endif()
endforeach()

add_executable(kparse_command commands/main.cpp)
set_target_properties(kparse_command PROPERTIES OUTPUT_NAME kparse)
target_link_libraries(kparse_command PRIVATE kparse_tool_commands)
install(TARGETS kparse_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
