# SPDX-License-Identifier: MIT
kparse_test(frame_test
  SOURCES support.cpp detection_test.cpp framing_test.cpp one_sided_test.cpp pairing_test.cpp property_test.cpp resync_test.cpp sasl_test.cpp
  USES kparse_frame)
