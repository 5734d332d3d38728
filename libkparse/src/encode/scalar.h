// SPDX-License-Identifier: MIT
// Single values as Kafka's converters read them from JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "kparse/schema.h"
#include "kparse/value.h"
#include "kparse/writer.h"

namespace kparse {

struct IntegerRange {
  std::int64_t lo, hi;
};
[[nodiscard]] IntegerRange range_of(Type) noexcept;
[[nodiscard]] bool is_integer(Type) noexcept;

/// A number, or a string as Java's Long.decode takes it: decimal, 0x, #, leading 0 for octal, a sign before.
[[nodiscard]] std::optional<std::int64_t> integer_of(const Value&) noexcept;
/// A number, or "NaN", "Infinity", "-Infinity".
[[nodiscard]] std::optional<double> float_of(const Value&) noexcept;

/// Decoded size; nothing where `text` can't be base64 (standard letters, padded).
[[nodiscard]] std::optional<std::size_t> base64_size(std::string_view text) noexcept;
/// False: other letters. `to` has room for base64_size() bytes.
[[nodiscard]] bool base64_decode(std::string_view text, std::uint8_t* to) noexcept;
/// base64url of 16 bytes, with or without padding, as Kafka's Uuid.fromString takes it.
[[nodiscard]] bool uuid_decode(std::string_view text, std::uint8_t to[16]) noexcept;

}  // namespace kparse
