// SPDX-License-Identifier: GPL-2.0-or-later
// Lint's findings as expert items.
#pragma once

#include "compat.h"
#include "pdu.h"

namespace kparse::dissector {

void register_lint_items(int proto);

/// Those about this frame.
void add_lint(const Pdu&, tvbuff_t*, packet_info*, proto_tree*);
/// Those about this packet besides, as a tree of their own. While the first pass goes on, those about earlier packets that
/// became known in this one: nobody may ask for the earlier one again.
void add_packet_lint(tvbuff_t*, packet_info*, proto_tree*);

}  // namespace kparse::dissector
