// SPDX-License-Identifier: GPL-2.0-or-later
#include "tcp_segments.h"

#include <cstdint>
#include <initializer_list>

namespace kparse::dissector {

namespace {

bool turned_on = false;  // by us

pref_t* reorders() { return prefs_find_preference(prefs_find_module("tcp"), "reassemble_out_of_order"); }

/// `begun`: bytes of this direction have been handed on.
void expect_nothing(tcp_flow_t& flow, bool begun) {
  if (!flow.ooo_segments) flow.ooo_segments = wmem_list_new(wmem_file_scope());
  if (wmem_list_count(flow.ooo_segments) > 0) {
    // Before the first byte: TCP waits for it, and hands on what it holds when it comes. Later (a SYN that the capture has
    // behind data makes TCP begin again) it would wait for ever.
    if (!begun) return;
    flow.ooo_segments = wmem_list_new(wmem_file_scope());
  }
  flow.flags |= TCP_FLOW_REASSEMBLE_UNTIL_FIN;
  flow.maxnextseq = 0;
}

}  // namespace

void ask_for_every_segment(tcp_analysis& tcp, bool begun1, bool begun2) {
  if (!turned_on) {
    pref_t* const p = reorders();
    if (p && !prefs_get_bool_value(p, pref_current)) {
      prefs_set_bool_value(p, TRUE, pref_current);
      turned_on = true;
    }
  }
  expect_nothing(tcp.flow1, begun1);
  expect_nothing(tcp.flow2, begun2);
}

void leave_segments(tcp_analysis& tcp) {
  for (tcp_flow_t* flow : {&tcp.flow1, &tcp.flow2})
    flow->flags = static_cast<std::uint16_t>(flow->flags & ~TCP_FLOW_REASSEMBLE_UNTIL_FIN);
}

void give_back_segments() {
  if (!turned_on) return;
  turned_on = false;
  if (pref_t* const p = reorders()) prefs_set_bool_value(p, FALSE, pref_current);
}

}  // namespace kparse::dissector
