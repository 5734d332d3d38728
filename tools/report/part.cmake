# SPDX-License-Identifier: MIT
# Tables that count events, and sections that show them. A new section: section_NAME.cpp and a line in report.cpp.
find_package(absl REQUIRED)
find_package(Threads REQUIRED)
add_library(kparse_tool_report STATIC
  report/apis.cpp report/bounded_table.cpp report/brokers.cpp report/carrier_tally.cpp report/clients.cpp report/conversation.cpp
  report/errors_table.cpp report/groups.cpp report/headers.cpp report/histogram.cpp report/key.cpp
  report/names.cpp report/record_counter.cpp report/record_workers.cpp report/report.cpp report/report_observer.cpp report/section_apis.cpp
  report/section_brokers.cpp report/section_clients.cpp report/section_errors.cpp report/section_groups.cpp
  report/section_headers.cpp report/section_seen.cpp report/section_slowest.cpp report/section_tls.cpp report/section_topics.cpp
  report/section_unseen.cpp report/seen.cpp report/slowest.cpp report/text_parts.cpp report/tls.cpp report/topics.cpp)
target_include_directories(kparse_tool_report PUBLIC ${PROJECT_SOURCE_DIR}/tools)
target_link_libraries(kparse_tool_report PUBLIC kparse kparse_tool_capture kparse_tool_output absl::btree
  absl::flat_hash_map absl::flat_hash_set Threads::Threads)
