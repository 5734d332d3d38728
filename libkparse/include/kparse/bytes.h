// SPDX-License-Identifier: MIT
// Bytes that somebody else owns, and big-endian loads from them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace kparse {

/// A view: valid as long as the buffer it points into. A null pointer stands for Kafka's null where a field can be null.
using Bytes = std::span<const std::uint8_t>;

/// Unaligned big-endian load. The caller has checked that sizeof(T) bytes are there.
template <class T>
[[nodiscard]] inline T load_be(const std::uint8_t* at) noexcept {
  T v;
  std::memcpy(&v, at, sizeof v);
  if constexpr (sizeof(T) == 2) return static_cast<T>(__builtin_bswap16(static_cast<std::uint16_t>(v)));
  if constexpr (sizeof(T) == 4) return static_cast<T>(__builtin_bswap32(static_cast<std::uint32_t>(v)));
  if constexpr (sizeof(T) == 8) return static_cast<T>(__builtin_bswap64(static_cast<std::uint64_t>(v)));
  return v;
}

[[nodiscard]] inline std::string_view text(Bytes b) noexcept {
  return {reinterpret_cast<const char*>(b.data()), b.size()};
}

}  // namespace kparse
