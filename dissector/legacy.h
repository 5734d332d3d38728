// SPDX-License-Identifier: GPL-2.0-or-later
// The fields of Wireshark's own Kafka dissector (kafka.*), under the same names and of the same types, so that filters,
// columns and colour rules written for it go on working. They stand hidden beside ours. Which field of the schema has
// which: legacy_table.cpp.
#pragma once

#include <cstdint>
#include <string_view>

#include "compat.h"
#include "kparse/bytes.h"
#include "kparse/schema.h"

namespace kparse::dissector {

void register_legacy_fields(int proto);

/// "kafka.NAME" -> its number; -1: it has none such. For the few that code outside the schema fills (kafka.len,
/// kafka.batch_crc, ...): look up once, keep.
[[nodiscard]] int legacy_field(std::string_view name) noexcept;

/// Does a field of the schema have any? O(1). Fields of a tagged field have none: the old dissector shows such as
/// kafka.tagged_field_tag and kafka.tagged_field_data.
[[nodiscard]] bool has_legacy(NodeId) noexcept;

/// The old names of a value, added hidden beside it. `at`, `length`: the whole encoding in `tvb`. Null: no text, no
/// bytes. `version`: of the message; some fields changed their meaning. No call throws C++ exceptions; all may leave by
/// Wireshark's longjmp.
void add_legacy_integer(proto_tree*, NodeId, tvbuff_t*, int at, int length, std::int64_t value, int version = -1);
void add_legacy_text(proto_tree*, NodeId, tvbuff_t*, int at, int length, packet_info*, const char* text,
                     int version = -1);
void add_legacy_bytes(proto_tree*, NodeId, tvbuff_t*, int at, int length, Bytes value, int version = -1);
void add_legacy_uuid(proto_tree*, NodeId, tvbuff_t*, int at, const std::uint8_t* id, int version = -1);

}  // namespace kparse::dissector
