// SPDX-License-Identifier: MIT
// From a packet of any link type, through tunnels, to the TCP segment inside.
#pragma once

#include <cstdint>
#include <deque>

#include "capture/fragments.h"
#include "capture/packet.h"
#include "capture/segment.h"

namespace kparse::capture {

enum class Decoded : std::uint8_t {
  tcp,
  other,        ///< whole, but not TCP: ARP, UDP, ...
  fragment,     ///< kept until the rest of its datagram comes
  undecodable,  ///< a header is cut off or contradicts itself, or the link type is unknown
};

/// Link types: Ethernet, Linux cooked v1 and v2, null/loop, raw IP, PPP (also with HDLC framing and over Ethernet),
/// Cisco HDLC. Inside them VLAN tags of any kind, MPLS, PPPoE, PBB, LLC/SNAP, IPv4, IPv6 with extension headers,
/// fragments of both, GRE (also NVGRE, PPTP), ERSPAN I to III, VXLAN, GENEVE, EtherIP, IP in IP, 6in4.
/// Checksums aren't looked at: with offload they are often not there yet. Lengths that lie (0 with TSO and BIG TCP, or
/// beyond the packet) are replaced by what the packet has. No allocation but for fragments.
class Decoder {
 public:
  /// `out` is set for Decoded::tcp only; its views live until the next call, or until the packet's data ends.
  Decoded decode(const Packet&, Segment& out);
  [[nodiscard]] const Fragments& fragments() const noexcept { return fragments_; }

 private:
  struct Span {
    Bytes data;            // present
    std::size_t wire = 0;  // at least data.size()
  };
  Decoded link(Span, std::uint16_t link_type);
  Decoded ethernet(Span);
  Decoded ether_type(std::uint16_t type, Span);
  Decoded mpls(Span);
  Decoded ppp(Span);
  Decoded ip(Span);
  Decoded ipv4(Span);
  Decoded ipv6(Span);
  Decoded payload(std::uint8_t protocol, Span);
  Decoded gre(Span);
  Decoded udp(Span);
  Decoded tcp(Span);
  Decoded fragment(const Fragment&, std::uint8_t protocol);

  static bool drop(Span& s, std::size_t n) noexcept;
  bool deeper() noexcept { return ++depth_ <= 24; }

  Segment* out_ = nullptr;
  FragmentKey key_;  // addresses of the innermost IP header
  std::int64_t time_ns_ = 0;
  int depth_ = 0;
  Fragments fragments_;
  std::deque<Fragments::Whole> whole_;  // datagrams of this packet; a deque, because inner views point into them
  std::size_t whole_used_ = 0;
};

}  // namespace kparse::capture
