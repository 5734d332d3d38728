// SPDX-License-Identifier: MIT
// The two checksums of Kafka's record formats, by ISA-L (about one byte or more a clock tick where the CPU helps).
#pragma once

#include <cstdint>

#include "kparse/bytes.h"

namespace kparse {

/// Castagnoli, as in record batches (magic 2): "123456789" gives e3069283.
[[nodiscard]] std::uint32_t crc32c(Bytes) noexcept;

/// IEEE (zlib's), as in messages of magic 0 and 1: "123456789" gives cbf43926.
[[nodiscard]] std::uint32_t crc32(Bytes) noexcept;

}  // namespace kparse
