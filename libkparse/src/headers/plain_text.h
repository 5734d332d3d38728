// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "kparse/bytes.h"

namespace kparse {

/// No control characters in it. (Whether it is UTF-8 doesn't matter here.)
[[nodiscard]] inline bool is_printable(Bytes b) noexcept {
  return std::all_of(b.begin(), b.end(), [](std::uint8_t c) { return c >= 0x20 && c != 0x7f; });
}
[[nodiscard]] inline bool is_printable(std::string_view s) noexcept {
  return is_printable(Bytes{reinterpret_cast<const std::uint8_t*>(s.data()), s.size()});
}

}  // namespace kparse
