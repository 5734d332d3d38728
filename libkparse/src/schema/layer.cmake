# SPDX-License-Identifier: MIT
# kschema compiles the .k files to tables. It runs on the machine that builds.
set(gen ${CMAKE_CURRENT_SOURCE_DIR}/gen)
add_library(kschema_core STATIC
  ${gen}/command.cpp ${gen}/parse.cpp ${gen}/parse_lists.cpp ${gen}/check.cpp ${gen}/emit.cpp ${gen}/print.cpp
  ${gen}/text.cpp)
target_include_directories(kschema_core PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})  # the tests see it as "gen/file.h"
find_package(RapidJSON QUIET)
if(RapidJSON_FOUND)  # only for `kschema import`
  target_sources(kschema_core PRIVATE ${gen}/import.cpp ${gen}/merge.cpp ${gen}/marks.cpp ${gen}/signature.cpp)
  target_compile_definitions(kschema_core PRIVATE KSCHEMA_IMPORT)
  target_include_directories(kschema_core SYSTEM PRIVATE ${RAPIDJSON_INCLUDE_DIRS})
endif()
add_executable(kschema ${gen}/main.cpp)
target_link_libraries(kschema PRIVATE kschema_core)
set_target_properties(kschema PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/host)

set(generated ${CMAKE_CURRENT_BINARY_DIR}/generated)
file(MAKE_DIRECTORY ${generated}/include/kparse)
file(GLOB k_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/schema/*.k)
# kschema leaves files alone that already say so: a changed comment in a .k file compiles nothing again.
add_custom_command(
  OUTPUT ${generated}/schema_tables.cpp ${generated}/include/kparse/node.h
  COMMAND kschema compile ${CMAKE_CURRENT_SOURCE_DIR}/schema ${generated}
  DEPENDS kschema ${k_files}
  COMMENT "Compiling the schema"
  VERBATIM)

kparse_layer(schema
  SOURCES defaults.cpp lookup.cpp header_version.cpp enums.cpp releases.cpp
  USES wire
)
target_sources(kparse_schema PRIVATE ${generated}/schema_tables.cpp ${generated}/include/kparse/node.h)
target_include_directories(kparse_schema PUBLIC ${generated}/include)
target_include_directories(kparse PUBLIC $<BUILD_INTERFACE:${generated}/include>)
add_dependencies(kparse kparse_schema)
# The table of fields is one long constant; optimising it costs time and gains nothing.
set_source_files_properties(${generated}/schema_tables.cpp PROPERTIES COMPILE_OPTIONS -O0)
install(FILES ${generated}/include/kparse/node.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/kparse)
