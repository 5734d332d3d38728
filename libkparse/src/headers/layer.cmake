# SPDX-License-Identifier: MIT
kparse_layer(headers
  SOURCES carriers.cpp describe.cpp draft_ints.cpp draft_read.cpp draft_reader.cpp draft_write.cpp embedded.cpp
    header_register.cpp headers.cpp json_scan.cpp linkedin.cpp recognise.cpp recognise_value.cpp schema_prefix.cpp
    string_map.cpp string_map_shapes.cpp trace_context.cpp
  USES records
)
