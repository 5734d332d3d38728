// SPDX-License-Identifier: MIT
// When bytes are taken for a serialised Map<String, String>.
#pragma once

#include "kparse/bytes.h"

namespace kparse {

/// An Avro map of two or more entries with printable names, to the last byte.
[[nodiscard]] bool is_avro_map(Bytes) noexcept;
/// name=value&name=value, two or more.
[[nodiscard]] bool is_pairs(Bytes) noexcept;
/// One flat JSON object of strings, one or more.
[[nodiscard]] bool is_json_map(Bytes) noexcept;
/// {"headers": such an object, and one more member: what it was put around}.
[[nodiscard]] bool wraps_string_map(Bytes) noexcept;

}  // namespace kparse
