// SPDX-License-Identifier: GPL-2.0-or-later
// Wireshark's way in: bytes of a stream that may be Kafka.
#pragma once

namespace kparse::dissector {

void register_dissectors(int proto);
/// Ports, heuristics, TLS: after all protocols are registered.
void hand_off();

}  // namespace kparse::dissector
