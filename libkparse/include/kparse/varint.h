// SPDX-License-Identifier: MIT
// Kafka's variable-length integers, read exactly as its ByteUtils reads them: padded forms are taken, bits above the
// 32nd in a fifth byte (above the 64th in a tenth) are dropped, a sixth (an eleventh) byte is refused.
// Each returns the byte after the number, or nullptr when [at, end) doesn't begin with one; then `out` is untouched.
// Cost: one compare and one load for numbers of one byte, which nearly all are; lengths mostly have two at most.
#pragma once

#include <cstdint>

#include "kparse/error.h"

namespace kparse {

namespace detail {
const std::uint8_t* long_uvarint(const std::uint8_t* at, const std::uint8_t* end, std::uint32_t& out) noexcept;
const std::uint8_t* long_uvarlong(const std::uint8_t* at, const std::uint8_t* end, std::uint64_t& out) noexcept;
}  // namespace detail

inline constexpr int max_varint_bytes = 5;
inline constexpr int max_varlong_bytes = 10;

[[nodiscard]] constexpr std::int32_t zigzag(std::uint32_t v) noexcept {
  return static_cast<std::int32_t>((v >> 1) ^ (0u - (v & 1)));
}
[[nodiscard]] constexpr std::int64_t zigzag(std::uint64_t v) noexcept {
  return static_cast<std::int64_t>((v >> 1) ^ (std::uint64_t{0} - (v & 1)));
}

/// Unsigned (compact lengths, tag numbers).
[[nodiscard]] inline const std::uint8_t* read_uvarint(const std::uint8_t* at, const std::uint8_t* end,
                                                      std::uint32_t& out) noexcept {
  if (at < end && *at < 0x80) [[likely]] {
    out = *at;
    return at + 1;
  }
  if (end - at >= 2 && at[1] < 0x80) {
    out = (at[0] & 0x7fu) | std::uint32_t{at[1]} << 7;
    return at + 2;
  }
  return detail::long_uvarint(at, end, out);
}

/// Unsigned, 64 bits.
[[nodiscard]] inline const std::uint8_t* read_uvarlong(const std::uint8_t* at, const std::uint8_t* end,
                                                       std::uint64_t& out) noexcept {
  if (at < end && *at < 0x80) [[likely]] {
    out = *at;
    return at + 1;
  }
  if (end - at >= 2 && at[1] < 0x80) {
    out = (at[0] & 0x7fu) | std::uint64_t{at[1]} << 7;
    return at + 2;
  }
  return detail::long_uvarlong(at, end, out);
}

/// Zigzag, 32 bits (lengths and offset deltas in records).
[[nodiscard]] inline const std::uint8_t* read_varint(const std::uint8_t* at, const std::uint8_t* end,
                                                     std::int32_t& out) noexcept {
  std::uint32_t v = 0;
  at = read_uvarint(at, end, v);
  if (at) out = zigzag(v);
  return at;
}

/// Zigzag, 64 bits (timestamp deltas).
[[nodiscard]] inline const std::uint8_t* read_varlong(const std::uint8_t* at, const std::uint8_t* end,
                                                      std::int64_t& out) noexcept {
  std::uint64_t v = 0;
  at = read_uvarlong(at, end, v);
  if (at) out = zigzag(v);
  return at;
}

/// Why a read of at most `max_bytes` gave nullptr: truncated or badVarint.
[[nodiscard]] inline Code varint_error(const std::uint8_t* at, const std::uint8_t* end, int max_bytes) noexcept {
  return end - at < max_bytes ? Code::truncated : Code::badVarint;
}

}  // namespace kparse
