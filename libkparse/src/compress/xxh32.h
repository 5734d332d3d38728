// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kparse/bytes.h"

namespace kparse {

/// xxHash32 of less than 16 bytes, seed 0 (liblz4 doesn't export the one that it holds).
[[nodiscard]] std::uint32_t xxh32_short(Bytes) noexcept;

}  // namespace kparse
