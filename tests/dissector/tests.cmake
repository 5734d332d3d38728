# SPDX-License-Identifier: MIT
# The Wireshark plugin in the tshark that is installed; see run.py for what each test does.
kparse_test(segment_order_test SOURCES segment_order_test.cpp ../../dissector/segment_order.cpp USES kparse_wire)
target_include_directories(segment_order_test PRIVATE ${PROJECT_SOURCE_DIR}/dissector)
kparse_test(kept_bytes_test SOURCES kept_bytes_test.cpp ../../dissector/kept_bytes.cpp USES kparse_frame)
target_include_directories(kept_bytes_test PRIVATE ${PROJECT_SOURCE_DIR}/dissector)
kparse_test(value_kind_test SOURCES value_kind_test.cpp ../../dissector/value_kind.cpp USES kparse_dump)
target_include_directories(value_kind_test PRIVATE ${PROJECT_SOURCE_DIR}/dissector)

find_package(Python3 COMPONENTS Interpreter QUIET)
if(TARGET kparse_plugin AND TARGET kparse_command AND Python3_FOUND AND NOT KPARSE_SANITIZE)
  set(tests loads fields_are_registered statistics_are_offered expert_list preferences nothing_is_said_of_other_traffic
      port_9092 other_port_by_preference other_port_by_heuristic decode_as give_way old_filters not_kafka secrets
      odd_captures cut_frame_comes_before_what_is_cut bytes_of_no_frame damaged_copies passes filter_makes_no_difference fields_however_started tcp_reassembly_options
      samples samples_two_passes samples_with_secrets comparison_can_fail big_batches record_counts tls drafts draft_names lint lint_is_off
      lint_items)
  foreach(test ${tests})
    add_test(NAME wireshark_${test} COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/run.py ${test}
             --kparse $<TARGET_FILE:kparse_command> --plugin $<TARGET_FILE:kparse_plugin>)
    set_tests_properties(wireshark_${test} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
  endforeach()
  foreach(check stats export)
    add_test(NAME wireshark_${check} COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/${check}.py
             $<TARGET_FILE:kparse_command> $<TARGET_FILE:kparse_plugin> ${PROJECT_SOURCE_DIR}/samples/captures)
  endforeach()
elseif(TARGET kparse_plugin AND NOT Python3_FOUND)
  message(STATUS "No python3: the tests of the Wireshark plugin are left out")
endif()
