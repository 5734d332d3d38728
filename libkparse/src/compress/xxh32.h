// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kparse/bytes.h"

namespace kparse {

/// xxHash32, seed 0 (liblz4 doesn't export the one that it holds). "abc" gives 32d153ff.
[[nodiscard]] std::uint32_t xxh32(Bytes) noexcept;

/// The same, of less than 16 bytes.
[[nodiscard]] std::uint32_t xxh32_short(Bytes) noexcept;

}  // namespace kparse
