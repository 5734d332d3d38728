// SPDX-License-Identifier: MIT
#include "schema/defaults.h"

#include <algorithm>
#include <charconv>

namespace kparse {

std::int64_t default_integer(const Field& f) noexcept {
  std::string_view text = f.default_value;
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  std::uint64_t v = 0;
  std::from_chars(text.data(), text.data() + text.size(), v, hex ? 16 : 10);
  return static_cast<std::int64_t>(negative ? 0 - v : v);
}

double default_float(const Field& f) noexcept {
  double v = 0;
  std::from_chars(f.default_value.data(), f.default_value.data() + f.default_value.size(), v);
  return v;
}

bool is_zero(Bytes b) noexcept {
  return std::all_of(b.begin(), b.end(), [](std::uint8_t v) { return v == 0; });
}

}  // namespace kparse
