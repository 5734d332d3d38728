// SPDX-License-Identifier: MIT
// Where and when in a capture something was seen.
#pragma once

#include <cstdint>

namespace kparse {

/// `packet` is 1-based within file number `file` (0-based, in the order given). Whoever feeds the bytes chooses the meaning.
struct Stamp {
  std::int64_t time_ns = 0;  ///< since 1970-01-01 UTC
  std::uint64_t packet = 0;
  std::uint32_t file = 0;
  friend bool operator==(const Stamp&, const Stamp&) = default;
};

}  // namespace kparse
