// SPDX-License-Identifier: MIT
#include "capture/decoder.h"

namespace kparse::capture {
namespace {

std::uint16_t u16(const Bytes& b, std::size_t at) { return load_be<std::uint16_t>(b.data() + at); }

}  // namespace

Decoded Decoder::decode(const Packet& p, Segment& out) {
  out_ = &out;
  time_ns_ = p.stamp.time_ns;
  depth_ = 0;
  whole_used_ = 0;
  return link({p.data, p.wire_length}, p.link_type);
}

/// False: fewer than n bytes are present.
bool Decoder::drop(Span& s, std::size_t n) noexcept {
  if (s.data.size() < n) return false;
  s.data = s.data.subspan(n);
  s.wire -= n;
  return true;
}

Decoded Decoder::link(Span s, std::uint16_t link_type) {
  const Bytes b = s.data;
  switch (link_type) {
    case 1:
      return ethernet(s);
    case 0:      // BSD loopback: address family in the byte order of the writer
    case 108: {  // the same, big-endian
      if (!drop(s, 4)) return Decoded::undecodable;
      const std::uint32_t family = b[0] != 0 || b[1] != 0 ? b[0] | b[1] << 8 : b[3] | b[2] << 8;
      // 2 = IPv4; IPv6 is 10 on Linux, 24, 28 or 30 on BSDs
      return family == 2 || family == 10 || family == 24 || family == 28 || family == 30 ? ip(s) : Decoded::other;
    }
    case 12:
    case 14:
    case 101:
    case 228:
    case 229:
      return ip(s);
    case 113:
      return drop(s, 16) ? ether_type(u16(b, 14), s) : Decoded::undecodable;
    case 276:
      return drop(s, 20) ? ether_type(u16(b, 0), s) : Decoded::undecodable;
    case 166:
    case 204:  // a direction byte goes before
      return drop(s, 1) ? ppp(s) : Decoded::undecodable;
    case 9:
      return ppp(s);
    case 50:  // PPP in HDLC-like framing or Cisco HDLC: the first byte tells
    case 104: {
      if (b.size() < 4) return Decoded::undecodable;
      if (b[0] != 0x0f && b[0] != 0x8f) return ppp(s);
      drop(s, 4);
      return ether_type(u16(b, 2), s);
    }
    case 51:
      return ether_type(0x8864, s);
    default:
      return Decoded::undecodable;
  }
}

Decoded Decoder::ethernet(Span s) {
  const Bytes b = s.data;
  if (!deeper() || !drop(s, 14)) return Decoded::undecodable;
  return ether_type(u16(b, 12), s);
}

Decoded Decoder::ether_type(std::uint16_t type, Span s) {
  for (;;) {
    const Bytes b = s.data;
    switch (type) {
      case 0x0800:
      case 0x86dd:
        return ip(s);
      case 0x8100:
      case 0x88a8:
      case 0x9100:
      case 0x9200:
      case 0x9300:
      case 0x8926:  // VLAN tags, VN-Tag's second half
        if (type == 0x8926 ? !drop(s, 6) : !drop(s, 4)) return Decoded::undecodable;
        type = type == 0x8926 ? u16(b, 4) : u16(b, 2);
        continue;
      case 0x893f:  // E-TAG, IEEE 802.1BR
        if (!drop(s, 8)) return Decoded::undecodable;
        type = u16(b, 6);
        continue;
      case 0x88e7:  // I-TAG of provider backbone bridges
        return drop(s, 4) ? ethernet(s) : Decoded::undecodable;
      case 0x6558:
        return ethernet(s);
      case 0x8847:
      case 0x8848:
        return mpls(s);
      case 0x8864: {
        if (!drop(s, 6)) return Decoded::undecodable;
        if (b[0] != 0x11 || b[1] != 0) return Decoded::other;
        return ppp(s);
      }
      case 0x880b:
        return ppp(s);
      default:
        if (type <= 1500 && b.size() >= 8 && b[0] == 0xaa && b[1] == 0xaa && b[2] == 3 && b[3] == 0 && b[4] == 0 &&
            b[5] == 0) {  // LLC with SNAP
          type = u16(b, 6);
          drop(s, 8);
          if (type > 1500) continue;
        }
        return Decoded::other;
    }
  }
}

Decoded Decoder::mpls(Span s) {
  for (bool bottom = false; !bottom;) {
    const Bytes b = s.data;
    if (!drop(s, 4)) return Decoded::undecodable;
    bottom = (b[2] & 1) != 0;
  }
  if (s.data.empty()) return Decoded::undecodable;
  const int version = s.data[0] >> 4;
  if (version == 4 || version == 6) return ip(s);
  if (version == 0 && !drop(s, 4)) return Decoded::undecodable;  // control word of a pseudowire, RFC 4385
  return ethernet(s);
}

Decoded Decoder::ppp(Span s) {
  if (s.data.size() >= 2 && s.data[0] == 0xff && s.data[1] == 3) drop(s, 2);
  const Bytes b = s.data;
  if (b.empty()) return Decoded::undecodable;
  std::uint16_t protocol = b[0];  // compressed to one byte if that is odd, RFC 1661 section 2
  if ((b[0] & 1) != 0) {
    drop(s, 1);
  } else if (drop(s, 2)) {
    protocol = u16(b, 0);
  } else {
    return Decoded::undecodable;
  }
  if (protocol == 0x21 || protocol == 0x57) return ip(s);
  if (protocol == 0x281 || protocol == 0x283) return mpls(s);
  return Decoded::other;
}

}  // namespace kparse::capture
