// SPDX-License-Identifier: MIT
// Equality of names and ids. They are short, and mostly equal: a call of memcmp costs more than comparing them in line.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace kparse {

[[nodiscard]] inline bool same_text(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  const std::size_t n = a.size();
  // Two loads that overlap compare any length from T's to twice that.
  const auto ends_same = [&](auto word) noexcept {
    using T = decltype(word);
    T first[2], last[2];
    std::memcpy(&first[0], a.data(), sizeof(T));
    std::memcpy(&first[1], b.data(), sizeof(T));
    std::memcpy(&last[0], a.data() + n - sizeof(T), sizeof(T));
    std::memcpy(&last[1], b.data() + n - sizeof(T), sizeof(T));
    return ((first[0] ^ first[1]) | (last[0] ^ last[1])) == 0;
  };
  if (n > 16) return std::memcmp(a.data(), b.data(), n) == 0;
  if (n >= 8) return ends_same(std::uint64_t{});
  if (n >= 4) return ends_same(std::uint32_t{});
  for (std::size_t i = 0; i < n; ++i)
    if (a[i] != b[i]) return false;
  return true;
}

/// Of two UUIDs, 16 bytes each.
[[nodiscard]] inline bool same_id(const void* a, const void* b) noexcept {
  return std::memcmp(a, b, 16) == 0;  // a constant length: no call
}

}  // namespace kparse
