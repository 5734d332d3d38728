// SPDX-License-Identifier: MIT
// Sums and differences of numbers from the wire. Those that no broker sends stay at the ends of int64.
#pragma once

#include <cstdint>
#include <limits>

namespace kparse {

[[nodiscard]] constexpr std::int64_t saturated_sum(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

[[nodiscard]] constexpr std::int64_t saturated_difference(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return b > 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

/// How many offsets a range has, its ends included; 0 where it is none.
[[nodiscard]] constexpr std::uint64_t offsets_in(std::int64_t first, std::int64_t last) noexcept {
  return last < first ? 0 : static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) + 1;
}

}  // namespace kparse
