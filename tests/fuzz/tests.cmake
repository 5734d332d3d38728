# SPDX-License-Identifier: MIT
# Fuzz targets. With any compiler: fuzz_test replays their corpora, fuzz_driver runs single files. With clang and
# KPARSE_FUZZ: fuzz_TARGET for libFuzzer. run.sh does all of it.
if(KPARSE_TOOLS)
  set(targets frames dialogue lint messages payloads records codecs capture_file packets segments encode craft settings)
  set(folder ${CMAKE_CURRENT_LIST_DIR})
  add_library(kparse_fuzz_targets STATIC EXCLUDE_FROM_ALL
    ${folder}/captures.cpp ${folder}/codecs.cpp ${folder}/corpus.cpp ${folder}/dialogue.cpp ${folder}/frames.cpp ${folder}/lint.cpp
    ${folder}/messages.cpp ${folder}/observed.cpp ${folder}/payloads.cpp ${folder}/records.cpp ${folder}/talk.cpp
    ${folder}/targets.cpp ${folder}/texts.cpp ${PROJECT_SOURCE_DIR}/tools/commands/json_source.cpp)
  target_link_libraries(kparse_fuzz_targets PUBLIC kparse_lint kparse_headers kparse_encode kparse_tool_audit kparse_tool_details
    kparse_tool_diff kparse_tool_trace kparse_tool_records kparse_tool_lint kparse_tool_craft kparse_tool_pipeline)
  target_include_directories(kparse_fuzz_targets SYSTEM PUBLIC ${RAPIDJSON_INCLUDE_DIRS})

  kparse_test(fuzz_test SOURCES replay_test.cpp USES kparse_fuzz_targets)

  add_executable(fuzz_driver EXCLUDE_FROM_ALL ${folder}/driver.cpp)
  set_target_properties(fuzz_driver PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(fuzz_driver PRIVATE kparse_fuzz_targets)

  if(KPARSE_FUZZ)
    foreach(part kparse_fuzz_targets kparse_tool_lint kparse_tool_diff)
      target_compile_options(${part} PRIVATE -fsanitize-ignorelist=${folder}/sanitizer-ignore.txt)
    endforeach()
    foreach(target ${targets})
      add_executable(fuzz_${target} ${folder}/fuzz_main.cpp)
      set_target_properties(fuzz_${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
      target_compile_definitions(fuzz_${target} PRIVATE KPARSE_FUZZ_TARGET=${target})
      target_link_options(fuzz_${target} PRIVATE -fsanitize=fuzzer)
      target_link_libraries(fuzz_${target} PRIVATE kparse_fuzz_targets)
      list(APPEND programs fuzz_${target})
    endforeach()
    add_custom_target(fuzz DEPENDS ${programs} fuzz_tls_records fuzz_tls_key_log fuzz_driver)
  endif()
endif()
