// SPDX-License-Identifier: MIT
// Inputs that stand for what two sides of a connection say.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kparse/bytes.h"

namespace kparse::fuzz {

struct Step {
  enum class Kind : std::uint8_t { data, gap, cut, end, settle };
  Kind kind = Kind::data;
  int direction = 0;
  std::string bytes;       ///< data
  std::uint64_t size = 0;  ///< gap, cut
};

struct Talk {
  bool syn = false;         ///< the start was captured, the client is direction 0
  bool trust_port = false;
  std::uint8_t choice = 0;  ///< for the target: two bits
  std::vector<Step> steps;
};

/// The first byte sets the options, then come steps: a byte that says what, and what belongs to it. Whole frames with a
/// right size can be had cheaply (an API, a version, a body; the answer to the oldest request; any content), as can raw
/// bytes, gaps and ends: mutations then change one thing at a time. At most about 1 MiB comes of it.
[[nodiscard]] Talk read_talk(Bytes);

}  // namespace kparse::fuzz
