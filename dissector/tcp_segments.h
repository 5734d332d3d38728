// SPDX-License-Identifier: GPL-2.0-or-later
// Has Wireshark's TCP hand on each segment in the packet that carries it.
#pragma once

#include "compat.h"

namespace kparse::dissector {

/// Left alone, TCP withholds segments that it takes for repeated or displaced. With its preference "Reassemble out-of-order
/// segments" it doesn't, but stops a direction for good at a byte that the capture lacks. So: the preference is turned on
/// with the first packet of Kafka in a capture, and TCP is told at each segment of this connection that nothing is
/// expected next, and that its order matters only at the FIN (nothing is ever left for that); SegmentOrder does the rest.
/// First pass only. `begun`: bytes of flow 1, 2 have been handed on.
void ask_for_every_segment(tcp_analysis&, bool begun1, bool begun2);

/// It isn't Kafka after all: the connection is as TCP would have it.
void leave_segments(tcp_analysis&);

/// The preference as the user had it.
void give_back_segments();

}  // namespace kparse::dissector
