// SPDX-License-Identifier: MIT
// Missing bytes of a stream, where something (TLS) stood between it and the wire.
#pragma once

#include <cstdint>

namespace kparse {

/// How well the number of missing bytes is known.
enum class Extent : std::uint8_t {
  exact,
  likely,   ///< right unless something unusual was among them: offsets behind are not exact
  unknown,  ///< a guess: the place has to be found again
};

}  // namespace kparse
