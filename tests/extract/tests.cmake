# SPDX-License-Identifier: MIT
# Small captures out of big ones, and what redaction leaves.
if(KPARSE_TOOLS)
  kparse_test(extract_test SOURCES extract_test.cpp redact_test.cpp ../cli/captures.cpp ../cli/process.cpp USES kparse kparse_tool_capture)
  add_dependencies(extract_test kparse_command)
  target_compile_definitions(extract_test PRIVATE KPARSE_COMMAND="$<TARGET_FILE:kparse_command>")
  kparse_test(redact_records_test SOURCES redact_records_test.cpp USES kparse_tool_extract)
  # A few frames of each capture; by hand with --all.
  kparse_script_test(extract_samples every_frame.py ${PROJECT_SOURCE_DIR}/samples/captures)
  kparse_script_test(extract_samples_redacted every_frame.py ${PROJECT_SOURCE_DIR}/samples/captures --redact)
  kparse_script_test(extract_real every_frame.py ${shared}/captures/real --frames 4)
endif()
