// SPDX-License-Identifier: MIT
// Both a batch and a message of the KIP-82 drafts have a 2 as their 17th byte. What tells them apart.
#pragma once

#include <cstdint>

#include "kparse/bytes.h"
#include "kparse/crc.h"

namespace kparse {

inline constexpr std::int32_t smallest_batch = 49;  // as its length field counts

/// CRC-32C where a batch has it. `entry`: at least 61 bytes.
[[nodiscard]] inline bool batch_crc_fits(Bytes entry) noexcept {
  return crc32c(entry.subspan(21)) == load_be<std::uint32_t>(entry.data() + 17);
}

/// CRC-32 where a batch has the leader epoch. `entry`: at least 17 bytes.
[[nodiscard]] inline bool draft_crc_fits(Bytes entry) noexcept {
  return crc32(entry.subspan(16)) == load_be<std::uint32_t>(entry.data() + 12);
}

/// For those with no checksum that fits: are the fixed fields those of a batch? No batch uses attributes above bit 6;
/// the draft has bits 32 to 39 of its timestamp there. `entry`: at least 61 bytes.
[[nodiscard]] inline bool looks_like_batch(Bytes entry) noexcept {
  return entry[21] == 0 && entry[22] < 0x80 && load_be<std::int32_t>(entry.data() + 23) >= 0 &&
         load_be<std::int32_t>(entry.data() + 57) >= 0;
}

}  // namespace kparse
