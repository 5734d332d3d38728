// SPDX-License-Identifier: GPL-2.0-or-later
// What statistics, exports and "follow" are told of each frame.
#pragma once

#include "body.h"
#include "compat.h"
#include "pdu.h"

namespace kparse::dissector {

/// In packet scope. Queued once for each frame, in their order.
struct FrameTap {
  const Pdu* pdu;
  Body body;              ///< body.message is nullptr where there is none; decoded again by each listener (decode_body)
  const char* client_id;  ///< of requests; nullptr
};

extern int frame_tap;   ///< FrameTap
extern int object_tap;  ///< FrameTap: for File > Export Objects
extern int follow_tap;  ///< tvbuff_t: the bytes of a frame

/// Queues what somebody listens to; costs nothing otherwise. `frame` begins with the size field; nullptr where there
/// are no bytes (gaps).
void tap_frame(const Pdu&, tvbuff_t* frame, packet_info*, const char* client_id);

/// To any of them.
[[nodiscard]] bool anybody_listens() noexcept;

void register_taps(int proto);

}  // namespace kparse::dissector
