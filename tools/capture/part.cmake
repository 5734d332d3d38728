# SPDX-License-Identifier: MIT
# Capture files to packets, packets to TCP segments, segments to streams. Knows no Kafka.
find_package(absl REQUIRED)

add_library(kparse_tool_capture STATIC
  capture/byte_source.cpp
  capture/capture.cpp
  capture/decoder.cpp
  capture/decoder_ip.cpp
  capture/endpoint.cpp
  capture/filter.cpp
  capture/fragments.cpp
  capture/large_heap.cpp
  capture/libpcap.cpp
  capture/libpcap_reader.cpp
  capture/pcap_reader.cpp
  capture/pcapng_interface.cpp
  capture/pcapng_reader.cpp
  capture/pcapng_writer.cpp
  capture/secrets.cpp
  capture/segment_writer.cpp
  capture/source.cpp
  capture/tcp_holes.cpp
  capture/tcp_segments.cpp
  capture/tcp_stream.cpp
  capture/tcp_table.cpp
  capture/tcp_track.cpp
  capture/timeline.cpp
  capture/unpack.cpp
  capture/window.cpp
)
target_include_directories(kparse_tool_capture PUBLIC ${PROJECT_SOURCE_DIR}/tools)
target_link_libraries(kparse_tool_capture
  PUBLIC kparse_wire absl::flat_hash_map
  PRIVATE PkgConfig::ZSTD ZLIB::ZLIB ${CMAKE_DL_LIBS}
)

# capture/libpcap.h loads it; "libpcap.so" itself belongs to the development package.
find_library(PCAP_SHARED NAMES libpcap.so HINTS ${PCAP_LIBRARY_DIRS} REQUIRED)
if(IS_SYMLINK ${PCAP_SHARED})
  file(READ_SYMLINK ${PCAP_SHARED} pcap_name)
else()
  set(pcap_name ${PCAP_SHARED})
endif()
set_source_files_properties(capture/libpcap.cpp PROPERTIES COMPILE_DEFINITIONS "KPARSE_LIBPCAP=\"${pcap_name}\"")
target_include_directories(kparse_tool_capture PRIVATE ${PCAP_INCLUDE_DIRS})
