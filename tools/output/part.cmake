# SPDX-License-Identifier: MIT
add_library(kparse_tool_output STATIC
  output/csv.cpp output/diagnostics.cpp output/human.cpp output/interrupt.cpp output/json_text.cpp output/output.cpp output/progress.cpp
  output/table.cpp output/text.cpp output/version.cpp output/whole_file.cpp)
target_include_directories(kparse_tool_output PUBLIC ${PROJECT_SOURCE_DIR}/tools)
target_link_libraries(kparse_tool_output PUBLIC fmt::fmt)
set_source_files_properties(output/version.cpp TARGET_DIRECTORY kparse_tool_output
  PROPERTIES COMPILE_DEFINITIONS KPARSE_VERSION="${PROJECT_VERSION}")
