// SPDX-License-Identifier: MIT
// What TCP did around the frames: for those who ask whether it is the network. Events of the packets themselves, in the
// order of the capture, before anything that the packet's bytes complete.
#pragma once

#include <cstdint>

#include "kparse/stamp.h"

namespace kparse {

/// A TCP segment of a connection, any kind. Offsets count the stream's bytes from the byte after the SYN, or from the
/// first byte seen. Source: RFC 9293; window scale RFC 7323.
struct SegmentSeen {
  enum Flag : std::uint8_t { fin = 1, syn = 2, rst = 4, psh = 8, ack = 16 };

  Stamp at;
  int direction = 0;                ///< 0 or 1; ConversationInfo::client_direction tells whose it is
  std::uint8_t flags = 0;
  bool placed = false;              ///< `offset` is known
  bool again = false;               ///< all or a part of its bytes (or its SYN, FIN) were sent before; no keep-alive
  bool duplicate = false;           ///< the same packet captured once more: says nothing of the network
  bool keepalive = false;
  bool acknowledges = false;        ///< `acknowledged` is known
  bool window_scaled = false;       ///< `window` is in bytes; else the scale wasn't seen and it may be more
  std::uint64_t offset = 0;
  std::uint32_t length = 0;         ///< bytes of the stream, on the wire
  std::uint32_t captured = 0;       ///< of them
  std::uint32_t missing = 0;        ///< bytes of the packet that the capture lacks (snapshot length)
  std::uint32_t stored = 0;         ///< bytes of the packet that the capture has, link layer and all; 0 not known
  std::uint64_t acknowledged = 0;   ///< offset in the other direction's stream; that of its end where the FIN is meant too
  std::uint32_t window = 0;
  std::uint16_t mss = 0;            ///< option of a SYN, 0 none

  [[nodiscard]] bool has(Flag f) const noexcept { return (flags & f) != 0; }
};

}  // namespace kparse
