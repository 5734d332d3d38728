// SPDX-License-Identifier: MIT
// A packet as a capture file holds it.
#pragma once

#include <cstdint>

#include "kparse/bytes.h"
#include "kparse/stamp.h"

namespace kparse::capture {

struct Packet {
  Bytes data;                     ///< what was captured; valid until the next packet of the same file is asked for
  std::uint32_t wire_length = 0;  ///< length on the wire; more than data.size() when the snapshot length cut it
  std::uint16_t link_type = 0;    ///< LINKTYPE_ number (https://www.tcpdump.org/linktypes.html)
  Stamp stamp;                    ///< file: place in the order in which the files were given
};

}  // namespace kparse::capture
