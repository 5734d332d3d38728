// SPDX-License-Identifier: MIT
// One message of magic 0 or 1, outer or inner.
#pragma once

#include <cstdint>

#include "kparse/bytes.h"
#include "kparse/error.h"

namespace kparse {

inline constexpr std::uint64_t entry_overhead = 12;    // offset, size
inline constexpr std::int32_t smallest_message = 14;   // magic 0: CRC, magic, attributes, two lengths
inline constexpr std::int32_t smallest_message1 = 22;  // and a timestamp

struct Message {
  std::uint32_t crc = 0;
  std::uint8_t magic = 0;
  std::uint8_t attributes = 0;
  std::int64_t timestamp = -1;
  Bytes key, value;
  std::uint64_t surplus = 0;  ///< bytes after the value, which Kafka ignores
};

/// The first fields are set as far as they are there, whatever the answer. `body` begins with the CRC and has at least
/// smallest_message bytes; `base` is added to an error's offset.
[[nodiscard]] Error read_message(Bytes body, std::uint64_t base, Message& out) noexcept;

/// Does the stored CRC fit?
[[nodiscard]] bool crc_fits(Bytes body) noexcept;

}  // namespace kparse
