// SPDX-License-Identifier: GPL-2.0-or-later
// Is it Kafka, on a port that nobody named?
#pragma once

#include "compat.h"
#include "kparse/bytes.h"

namespace kparse::dissector {

/// Do these bytes begin a Kafka request? Strict, since Wireshark asks this of every TCP segment that nothing else claims.
[[nodiscard]] bool begins_request(Bytes) noexcept;

/// `data`: what a heuristic is given inside TLS. Names the dissector of the rest of that session.
void call_from_now_on(void* data, dissector_handle_t);

}  // namespace kparse::dissector
