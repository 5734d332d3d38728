// SPDX-License-Identifier: GPL-2.0-or-later
// Follow > Kafka (kparse) Stream, `-z follow,kparse,hex,0`: the frames of a connection, without what TCP and TLS put
// around them. And the conversation filter.
#include <epan/addr_resolv.h>

#include "listeners.h"
#include "protocol.h"

namespace kparse::dissector {

namespace {

char* stream_filter(unsigned stream, unsigned /*sub_stream*/) noexcept {
  return g_strdup_printf("tcp.stream eq %u", stream);
}

char* packet_filter(epan_dissect_t*, packet_info* pinfo, unsigned* stream, unsigned* /*sub_stream*/) noexcept {
  if (!pinfo || pinfo->ptype != PT_TCP) return nullptr;
  *stream = stream_of(pinfo);
  return stream_filter(*stream, 0);
}

char* address_filter(address* from, address* to, int from_port, int to_port) noexcept {
  const char* const ip = from->type == AT_IPv6 ? "ipv6" : "ip";
  char* const a = address_to_str(nullptr, from);
  char* const b = address_to_str(nullptr, to);
  char* const filter = g_strdup_printf(
      "((%s.src eq %s and tcp.srcport eq %d) and (%s.dst eq %s and tcp.dstport eq %d)) or "
      "((%s.src eq %s and tcp.srcport eq %d) and (%s.dst eq %s and tcp.dstport eq %d))",
      ip, a, from_port, ip, b, to_port, ip, b, to_port, ip, a, from_port);
  wmem_free(nullptr, a);
  wmem_free(nullptr, b);
  return filter;
}

#if KPARSE_WIRESHARK_AT_LEAST(4, 2)
Flag has_filter(packet_info* pinfo, void*) noexcept { return proto_is_frame_protocol(pinfo->layers, "kparse"); }
char* conversation_filter(packet_info* pinfo, void*) noexcept { return stream_filter(stream_of(pinfo), 0); }
#else
Flag has_filter(packet_info* pinfo) noexcept { return proto_is_frame_protocol(pinfo->layers, "kparse"); }
char* conversation_filter(packet_info* pinfo) noexcept { return stream_filter(stream_of(pinfo), 0); }
#endif

}  // namespace

void register_follow(int proto) {
#if KPARSE_WIRESHARK_AT_LEAST(4, 4)
  register_follow_stream(proto, "kparse_follow", packet_filter, stream_filter, address_filter, tcp_port_to_display,
                         follow_tvb_tap_listener, get_tcp_stream_count, nullptr);
#else
  register_follow_stream(proto, "kparse_follow", packet_filter, stream_filter, address_filter, tcp_port_to_display,
                         follow_tvb_tap_listener);
#endif
}

void register_conversation_filters() {
#if KPARSE_WIRESHARK_AT_LEAST(4, 2)
  register_conversation_filter("kparse", "Kafka (kparse)", has_filter, conversation_filter, nullptr);
#else
  register_conversation_filter("kparse", "Kafka (kparse)", has_filter, conversation_filter);
#endif
}

}  // namespace kparse::dissector
