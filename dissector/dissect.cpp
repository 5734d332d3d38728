// SPDX-License-Identifier: GPL-2.0-or-later
#include "dissect.h"

#include "compat.h"
#include "conversation.h"
#include "frame_tree.h"
#include "lint.h"
#include "lint_items.h"
#include "preferences.h"
#include "protocol.h"
#include "recognise.h"
#include "tcp_segments.h"
#include "topics.h"

namespace kparse::dissector {

namespace {

// Of Wireshark's TCP, which has no header for them.
constexpr unsigned saw_syn = 0x02, saw_synack = 0x04, base_seq_set = 0x01;  // tcp_flow_t::static_flags
pref_t *tcp_relative, *tcp_analyses;

dissector_handle_t builtin;

Stamp stamp_of(const packet_info* pinfo) noexcept {
  return {.time_ns = static_cast<std::int64_t>(pinfo->abs_ts.secs) * 1'000'000'000 + pinfo->abs_ts.nsecs,
          .packet = pinfo->num};
}

Bytes bytes_of(tvbuff_t* tvb) {
  const int length = static_cast<int>(tvb_captured_length(tvb));
  return {tvb_get_ptr(tvb, 0, length), static_cast<std::size_t>(length)};
}

Conversation* find(conversation_t* c) noexcept {
  return static_cast<Conversation*>(conversation_get_proto_data(c, proto_kparse));
}

/// The TCP connection. Dissectors that packets pass before us (PROXY headers, since 4.4) may have given the packet another
/// conversation, which only one direction has.
conversation_t* connection_of(packet_info* pinfo) {
  conversation_t* const tcp = find_conversation(pinfo->num, &pinfo->src, &pinfo->dst,
                                                conversation_pt_to_conversation_type(pinfo->ptype), pinfo->srcport,
                                                pinfo->destport, 0);
  return tcp ? tcp : find_or_create_conversation(pinfo);
}

int direction_of(const tcp_analysis* tcp) noexcept { return tcp && tcp->fwd == &tcp->flow2 ? 1 : 0; }

/// TCP numbers its bytes as the user likes it: from the SYN, or as on the wire.
bool counts_from_syn() {
  return prefs_get_bool_value(tcp_relative, pref_current) && prefs_get_bool_value(tcp_analyses, pref_current);
}

/// What TCP knows of the connection before its first bytes of Kafka.
void prepare(Conversation& c, const tcp_analysis& tcp, const packet_info* pinfo, int direction) noexcept {
  const tcp_flow_t* const flows[2] = {&tcp.flow1, &tcp.flow2};
  if (pinfo->srcport != pinfo->destport)
    c.set_higher_port(pinfo->srcport > pinfo->destport ? direction : 1 - direction);
  int client = -1;
  for (int d : {0, 1}) {
    if (flows[d]->static_flags & saw_syn) client = d;
    if (flows[d]->static_flags & saw_synack) client = 1 - d;
  }
  if (client < 0) return;
  c.syn_from(client);
  for (int d : {0, 1}) {
    if (flows[d]->static_flags & base_seq_set)
      c.order().begin_at(d, counts_from_syn() ? 1 : flows[d]->base_seq + 1);
    if (flows[d]->static_flags & (saw_syn | saw_synack)) c.order().heard(d);
  }
}

/// "address:port", "[ipv6]:port".
const char* end_of(const address& a, std::uint32_t port, packet_info* pinfo) {
  return wmem_strdup_printf(pinfo->pool, a.type == AT_IPv6 ? "[%s]:%u" : "%s:%u", address_to_str(pinfo->pool, &a), port);
}

void name(Conversation& c, const tcp_analysis& tcp, packet_info* pinfo, int direction) {
  const char* ends[2];
  ends[direction] = end_of(pinfo->src, pinfo->srcport, pinfo);
  ends[1 - direction] = end_of(pinfo->dst, pinfo->destport, pinfo);
  c.set_name(tcp.stream, ends);
  const unsigned both = saw_syn | saw_synack, seen = tcp.flow1.static_flags | tcp.flow2.static_flags;
  if ((seen & both) == both) c.tell_begin(tcp.flow1.static_flags & saw_syn ? 0 : 1, stamp_of(pinfo));
}

/// The conversation's state, made at its first bytes. nullptr: no memory.
Conversation* find_or_open(conversation_t* c, packet_info* pinfo) noexcept try {
  if (Conversation* known = find(c)) return known;
  Conversation& made = new_conversation();
  conversation_add_proto_data(c, proto_kparse, &made);
  if (const tcp_analysis* tcp = get_tcp_conversation_data(c, pinfo)) {
    prepare(made, *tcp, pinfo, direction_of(tcp));
    if (lint()) name(made, *tcp, pinfo, direction_of(tcp));
  }
  return &made;
} catch (const std::exception&) {
  return nullptr;
}

/// What each side has acknowledged of the other's bytes, in the numbers that segments have.
Conversation::Acks acks_of(const tcp_analysis& tcp) noexcept {
  Conversation::Acks acks;
  const tcp_flow_t* const flows[2] = {&tcp.flow1, &tcp.flow2};
  for (int d : {0, 1}) {
    const std::uint32_t base = counts_from_syn() ? flows[d]->base_seq : 0;
    const auto* own = flows[d]->tcp_analyze_seq_info;
    if (own && flows[d]->closing_initiator) {  // of two FINs TCP remembers the first one
      acks.ended[d] = true;
      acks.fin[d] = own->nextseq - 1 - base;
    }
    const auto* peer = flows[1 - d]->tcp_analyze_seq_info;
    if (!peer || peer->lastack == 0) continue;
    acks.known[d] = true;
    acks.acked[d] = peer->lastack - base;
  }
  return acks;
}

const Shown* first_pass_tcp(Conversation& c, tvbuff_t* tvb, packet_info* pinfo, const tcpinfo& segment, tcp_analysis* tcp,
                      int direction) {
  const SegmentOrder::Segment s{segment.seq, segment.lastackseq, bytes_of(tvb), tvb_reported_length(tvb), stamp_of(pinfo)};
  return c.tcp(direction, s, segment.seq, tcp ? acks_of(*tcp) : Conversation::Acks{});
}

int show(const Shown* shown, Conversation& c, tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree) {
  if (!shown) return 0;
  if (shown->foreign) return 0;
  if (PINFO_FD_VISITED(pinfo)) settle_lint();
  const Shown* const late = PINFO_FD_VISITED(pinfo) ? c.settle(pinfo->num) : nullptr;
  show_frames(*shown, late, c.foreign_name(), c.foreign(), tvb, pinfo, tree);
  return static_cast<int>(tvb_captured_length(tvb));
}

int dissect_tcp(tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree, void* data) {
  if (!data) return 0;
  const auto& segment = *static_cast<const tcpinfo*>(data);
  conversation_t* const conversation = connection_of(pinfo);
  tcp_analysis* const tcp = get_tcp_conversation_data(conversation, pinfo);
  const int direction = direction_of(tcp);
  Conversation* c = find(conversation);
  if (preferences.give_way && builtin && !(c && c->recognised))
    return call_dissector_with_data(builtin, tvb, pinfo, tree, data);
  if (PINFO_FD_VISITED(pinfo)) {
    if (!c) return 0;
    return show(c->find(pinfo->num, segment.seq), *c, tvb, pinfo, tree);
  }
  c = find_or_open(conversation, pinfo);
  if (!c) return 0;
  const bool every = tcp && preferences.every_segment;
  if (every && !c->foreign()) ask_for_every_segment(*tcp, c->order().next(0) > 0, c->order().next(1) > 0);
  const Shown* const shown = first_pass_tcp(*c, tvb, pinfo, segment, tcp, direction);
  if (every && c->foreign()) leave_segments(*tcp);
  return show(shown, *c, tvb, pinfo, tree);
}

int dissect_tls(tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree, void*) {
  conversation_t* const conversation = connection_of(pinfo);
  tcp_analysis* const tcp = get_tcp_conversation_data(conversation, pinfo);
  const int direction = direction_of(tcp);
  Conversation* c = find(conversation);
  const auto key = static_cast<std::uint32_t>(pinfo->curr_layer_num);
  if (PINFO_FD_VISITED(pinfo)) {
    if (!c) return 0;
    return show(c->find(pinfo->num, key), *c, tvb, pinfo, tree);
  }
  c = find_or_open(conversation, pinfo);
  if (!c) return 0;
  c->set_inside_tls();
  return show(c->tls(direction, bytes_of(tvb), key, stamp_of(pinfo)), *c, tvb, pinfo, tree);
}

Flag recognise_tcp(tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree, void* data) {
  if (!preferences.heuristic || !data || !begins_request(bytes_of(tvb))) return FALSE;
  conversation_t* const conversation = connection_of(pinfo);
  Conversation* const c = find_or_open(conversation, pinfo);
  if (!c) return FALSE;
  if (!c->recognised) {
    c->recognised = true;
    const auto& segment = *static_cast<const tcpinfo*>(data);  // what came before was given to others
    c->order().join_late(direction_of(get_tcp_conversation_data(conversation, pinfo)), segment.seq, segment.lastackseq);
  }
  if (dissect_tcp(tvb, pinfo, tree, data) == 0) return FALSE;
  conversation_set_dissector(conversation, tcp_handle);
  return TRUE;
}

Flag recognise_tls(tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree, void* data) {
  if (!preferences.heuristic || !begins_request(bytes_of(tvb))) return FALSE;
  if (dissect_tls(tvb, pinfo, tree, nullptr) == 0) return FALSE;
  call_from_now_on(data, tls_handle);
  return TRUE;
}

/// TCP keeps segments to itself already before the first one that it hands on: it must be told sooner, by the first packet
/// of a connection on one of our ports, which mostly is the SYN.
void look_at_segments(packet_info* pinfo) {
  if (PINFO_FD_VISITED(pinfo) || pinfo->ptype != PT_TCP || !preferences.every_segment || preferences.give_way) return;
  static dissector_table_t const ports = find_dissector_table("tcp.port");
  if (dissector_get_uint_handle(ports, pinfo->destport) != tcp_handle &&
      dissector_get_uint_handle(ports, pinfo->srcport) != tcp_handle)
    return;
  conversation_t* const conversation = find_conversation_pinfo(pinfo, 0);
  if (conversation && !find(conversation))
    if (tcp_analysis* const tcp = get_tcp_conversation_data(conversation, pinfo)) ask_for_every_segment(*tcp, false, false);
}

/// Of any packet, after all that is in it.
int look_at_packet(tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree, void*) {
  look_at_segments(pinfo);
  if (Lint* const l = lint()) {
    if (PINFO_FD_VISITED(pinfo)) settle_lint();
    else l->now(stamp_of(pinfo));
    add_packet_lint(tvb, pinfo, tree);
  }
  return 0;
}

void open_capture() {
  forget_conversations();
  give_back_segments();
}

}  // namespace

void register_dissectors(int proto) {
  tcp_handle = register_dissector("kparse", dissect_tcp, proto);
  tls_handle = register_dissector("kparse.tls", dissect_tls, proto);
  register_postdissector(create_dissector_handle(look_at_packet, proto));
  register_init_routine(open_capture);
  register_cleanup_routine(open_capture);
}

void hand_off() {
  module_t* const tcp = prefs_find_module("tcp");
  tcp_relative = prefs_find_preference(tcp, "relative_sequence_numbers");
  tcp_analyses = prefs_find_preference(tcp, "analyze_sequence_numbers");
  builtin = find_dissector("kafka");
  dissector_add_uint_range_with_preference("tcp.port", "9092", tcp_handle);
  heur_dissector_add("tcp", recognise_tcp, "Kafka (kparse) on any TCP port", "kparse_tcp", proto_kparse, HEURISTIC_ENABLE);
  heur_dissector_add("tls", recognise_tls, "Kafka (kparse) inside TLS", "kparse_tls", proto_kparse, HEURISTIC_ENABLE);
  ssl_dissector_add(0, tls_handle);
  set_builtin_protocol(proto_get_id_by_filter_name("kafka"));
}

}  // namespace kparse::dissector
