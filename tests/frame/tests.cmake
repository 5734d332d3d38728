# SPDX-License-Identifier: MIT
kparse_test(frame_test TOGETHER
  SOURCES support.cpp detection_test.cpp framing_test.cpp one_sided_test.cpp pairing_test.cpp property_test.cpp resync_test.cpp sasl_test.cpp
  USES kparse_frame)
kparse_test(frame_resync_rate_test SOURCES resync_rate_test.cpp ../decode/support.cpp USES kparse_frame kparse_encode kparse_compress)
find_package(RapidJSON REQUIRED)
target_include_directories(frame_resync_rate_test SYSTEM PRIVATE ${RAPIDJSON_INCLUDE_DIRS})
