# SPDX-License-Identifier: MIT
if(KPARSE_TOOLS)
  find_package(ZLIB REQUIRED)
  find_package(RapidJSON REQUIRED)
  pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)

  kparse_test(capture_source_test
    SOURCES source_test.cpp pcapng_test.cpp timeline_test.cpp filter_test.cpp
    USES kparse_tool_capture ZLIB::ZLIB PkgConfig::ZSTD)
  kparse_test(capture_decoder_test SOURCES decoder_test.cpp fragments_test.cpp USES kparse_tool_capture)
  kparse_test(capture_tcp_test
    SOURCES tcp_order_test.cpp tcp_loss_test.cpp tcp_contradiction_test.cpp tcp_conversation_test.cpp tcp_segments_test.cpp
    USES kparse_tool_capture)
  kparse_test(capture_hostile_test SOURCES hostile_test.cpp capture_test.cpp USES kparse_tool_capture)
  kparse_test(capture_shared_test SOURCES shared_test.cpp USES kparse_tool_capture)
endif()
