# SPDX-License-Identifier: MIT
kparse_layer(session
  SOURCES batch_pass.cpp body_sink.cpp cluster.cpp cluster_sink.cpp cluster_state.cpp detail_fetch.cpp detail_groups.cpp detail_reader.cpp
          detail_rows.cpp fetch_sink.cpp group_sink.cpp interpreter.cpp kept_requests.cpp metadata_topics.cpp parts.cpp
          request_memory.cpp roles.cpp row_sink.cpp share_sink.cpp snapshot_joiner.cpp
  USES frame records dump
)
