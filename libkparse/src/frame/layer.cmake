# SPDX-License-Identifier: MIT
kparse_layer(frame
  SOURCES connection.cpp detect.cpp dialogue.cpp fit.cpp framer.cpp guess.cpp head.cpp pending.cpp prelude.cpp proxy.cpp
    sasl.cpp seek_request.cpp seek_response.cpp stream_buffer.cpp tracker.cpp
  USES decode
)
