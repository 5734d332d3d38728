// SPDX-License-Identifier: MIT
// Interface Description Blocks: what gives a packet of pcapng its link type and its time.
#pragma once

#include <cstdint>

#include "kparse/bytes.h"

namespace kparse::capture {

struct ByteOrder {
  bool big = true;
  [[nodiscard]] std::uint16_t u16(const std::uint8_t* at) const noexcept {
    const auto v = load_be<std::uint16_t>(at);
    return big ? v : __builtin_bswap16(v);
  }
  [[nodiscard]] std::uint32_t u32(const std::uint8_t* at) const noexcept {
    const auto v = load_be<std::uint32_t>(at);
    return big ? v : __builtin_bswap32(v);
  }
};

struct Interface {
  std::uint16_t link_type = 0;
  std::uint32_t snaplen = 0;    ///< 0: none
  std::uint8_t resolution = 6;  ///< if_tsresol: 10^-n s, with the top bit 2^-n s
  std::int64_t offset_s = 0;    ///< if_tsoffset

  /// `body`: the block without its head and trailing length (at least 8 bytes). Null, or what is wrong.
  [[nodiscard]] const char* read(ByteOrder, Bytes body) noexcept;
  /// Since 1970; a time that int64 nanoseconds can't hold becomes the nearest that they can.
  [[nodiscard]] std::int64_t time_ns(std::uint64_t ticks) const noexcept;
};

}  // namespace kparse::capture
