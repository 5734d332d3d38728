// SPDX-License-Identifier: GPL-2.0-or-later
// A records field as a tree: batches, records, headers; what was compressed in a data tab of its own.
#pragma once

#include <string_view>

#include "compat.h"
#include "kparse/bytes.h"

namespace kparse::dissector {

/// Records that batch headers announce in a record set. Opens nothing.
[[nodiscard]] std::int64_t count_records(Bytes set) noexcept;

/// Any field of batches or records is asked for, under a new or an old name.
[[nodiscard]] bool records_asked_for();

/// `set` are the bytes at `at` of `tvb`. `topic`: "" unknown; of internal topics keys and values are decoded.
void add_records(tvbuff_t*, int at, Bytes set, std::string_view topic, packet_info*, proto_tree*);

}  // namespace kparse::dissector
