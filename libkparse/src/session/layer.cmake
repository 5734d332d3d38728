# SPDX-License-Identifier: MIT
kparse_layer(session
  SOURCES body_sink.cpp cluster.cpp interpreter.cpp metadata_topics.cpp request_memory.cpp roles.cpp snapshot_joiner.cpp
  USES frame records dump
)
