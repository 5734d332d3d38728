// SPDX-License-Identifier: GPL-2.0-or-later
// A Wireshark field for every field of every message: kparse.MESSAGE.PATH
// (kparse.FetchRequest.topics.partitions.fetchOffset).
#pragma once

#include "kparse/error.h"

namespace kparse::dissector {

/// Wireshark's number of it. Types: booleans FT_BOOLEAN; integers FT_INT8..FT_INT64, FT_UINT16, FT_UINT32 (with names
/// where the schema has some); float64 FT_DOUBLE; uuid FT_STRING (as Kafka prints it); string FT_STRING; bytes
/// FT_BYTES; records FT_UINT32 (their size); struct FT_NONE; array of structs FT_INT32 (its count). An array of values
/// has one item for each element, of the element's type.
[[nodiscard]] int schema_field(NodeId) noexcept;

void register_schema_fields(int proto);

}  // namespace kparse::dissector
