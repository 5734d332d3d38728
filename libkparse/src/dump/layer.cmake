# SPDX-License-Identifier: MIT
kparse_layer(dump
  SOURCES
    connect.cpp consumer.cpp envelope.cpp errors_json.cpp internal.cpp json_dump.cpp json_escape.cpp
    json_siblings.cpp json_sink.cpp json_writer.cpp payload.cpp payload_guide.cpp records_json.cpp sasl.cpp secrets.cpp streams.cpp
    streams_assignment.cpp telemetry.cpp text.cpp utf8.cpp
  USES decode records
)
