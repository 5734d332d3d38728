// SPDX-License-Identifier: GPL-2.0-or-later
// What a packet holds of Kafka: a tree for each frame, and the Info column.
#pragma once

#include "compat.h"
#include "conversation.h"

namespace kparse::dissector {

/// `late`: frames of this packet that could only be told afterwards; nullptr: none. `foreign`: Conversation::foreign_name();
/// `not_kafka`: all of it is that, as the end of the capture has shown.
void show_frames(const Shown&, const Shown* late, const char* foreign, bool not_kafka, tvbuff_t*, packet_info*, proto_tree*);

void set_builtin_protocol(int proto);  ///< Wireshark's own "kafka": its bare filter finds our frames too

}  // namespace kparse::dissector
