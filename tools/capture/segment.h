// SPDX-License-Identifier: MIT
// A TCP segment, as found in a packet.
#pragma once

#include <cstdint>

#include "capture/endpoint.h"
#include "kparse/bytes.h"

namespace kparse::capture {

struct Segment {
  enum Flag : std::uint8_t { fin = 1, syn = 2, rst = 4, psh = 8, ack = 16 };

  Endpoint source, destination;
  std::uint32_t seq = 0;
  std::uint32_t acknowledged = 0;  ///< means something with Flag::ack only
  std::uint8_t flags = 0;
  std::uint16_t window = 0;
  Bytes options;                   ///< of the TCP header
  Bytes payload;                   ///< what was captured of it
  std::uint32_t wire_payload = 0;  ///< its length on the wire
  std::uint32_t ip_id = 0;         ///< IPv4 identification, 0 if there is none
  std::uint32_t stored = 0;        ///< bytes of its packet that were captured, 0: not told
  std::uint32_t missing = 0;       ///< ... that weren't

  [[nodiscard]] bool has(Flag f) const noexcept { return (flags & f) != 0; }
};

}  // namespace kparse::capture
