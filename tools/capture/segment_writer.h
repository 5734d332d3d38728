// SPDX-License-Identifier: MIT
// A TCP segment as a packet: the counterpart of Decoder.
#pragma once

#include <cstdint>

#include "capture/pcapng_writer.h"
#include "capture/segment.h"

namespace kparse::capture {

inline constexpr std::uint16_t raw_ip = 101;  ///< LINKTYPE_RAW: the interface that write_segment's packets belong to

/// Largest payload of one packet that write_segment writes without losing any of it.
inline constexpr std::size_t max_payload = 65535 - 40 - 40;

/// Writes a raw IP packet to interface 0, with right checksums (RFC 791, 8200, 9293). Both ends are of one IP version.
/// `wire_payload` above the payload's size: the packet is cut there, as by a snapshot length; its checksum is then that
/// of a payload which goes on with zeros. `options` are padded to whole words by the caller.
void write_segment(PcapngWriter&, std::int64_t time_ns, const Segment&);

}  // namespace kparse::capture
