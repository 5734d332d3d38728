// SPDX-License-Identifier: MIT
// A script's conversations as packets.
#pragma once

#include <cstdint>

#include "capture/pcapng_writer.h"
#include "craft/script.h"

namespace kparse::craft {

struct Written {
  std::uint64_t packets = 0;
  std::uint64_t left_out = 0;  ///< lost on purpose
};

/// Writes them in order of time, the section and the interface first. The same script gives the same bytes. Memory: as
/// the capture.
Written write_packets(const Script&, const std::string& application, capture::PcapngWriter&);

}  // namespace kparse::craft
