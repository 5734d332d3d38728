// SPDX-License-Identifier: GPL-2.0-or-later
// What to call an element of an array: "orders", "partition 3", "Produce 0-13".
#pragma once

#include "body.h"

namespace kparse::dissector {

/// Packet scope; nullptr: nothing tells it from others. `row`: of the struct.
[[nodiscard]] const char* element_label(const Body&, std::uint32_t row, packet_info*);

}  // namespace kparse::dissector
