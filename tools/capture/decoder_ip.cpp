// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "capture/decoder.h"

namespace kparse::capture {
namespace {

std::uint16_t u16(const Bytes& b, std::size_t at) { return load_be<std::uint16_t>(b.data() + at); }

}  // namespace

Decoded Decoder::ip(Span s) {
  if (!deeper() || s.data.empty()) return Decoded::undecodable;
  // The version in the header is right where an outer type says 0800 for both (tunnels do).
  const int version = s.data[0] >> 4;
  return version == 4 ? ipv4(s) : version == 6 ? ipv6(s) : Decoded::undecodable;
}

Decoded Decoder::ipv4(Span s) {
  const Bytes b = s.data;
  if (b.size() < 20) return Decoded::undecodable;
  const std::size_t header = std::size_t{b[0] & 0x0fu} * 4;
  if (header < 20 || !drop(s, header)) return Decoded::undecodable;
  const std::size_t total = u16(b, 2);
  // 0, or what is left modulo 64 KiB: segmentation offload made a packet that the field can't hold.
  const bool too_large = total == 0 || (s.wire + header > 65535 && (s.wire + header - total) % 65536 == 0);
  if (!too_large) {
    if (total < header) return Decoded::undecodable;
    s.wire = total - header;  // less: padding goes; more: those bytes were cut off, whatever the file says
    s.data = s.data.first(std::min(s.data.size(), s.wire));
  }
  key_ = {};
  std::memcpy(key_.source.data(), b.data() + 12, 4);
  std::memcpy(key_.destination.data(), b.data() + 16, 4);
  key_.id = u16(b, 4);
  const std::uint16_t place = u16(b, 6);
  if ((place & 0x3fff) != 0) {
    key_.protocol = b[9];
    return fragment({(place & 0x1fffu) * 8, static_cast<std::uint32_t>(s.wire), (place & 0x2000) != 0, s.data}, b[9]);
  }
  return payload(b[9], s);
}

Decoded Decoder::ipv6(Span s) {
  const Bytes b = s.data;
  if (!drop(s, 40)) return Decoded::undecodable;
  const std::size_t length = u16(b, 4);
  if (length != 0) {  // 0: a jumbogram, or offload; either way the packet knows best
    s.wire = length;
    s.data = s.data.first(std::min(s.data.size(), s.wire));
  }
  key_ = {};
  key_.v6 = true;
  std::memcpy(key_.source.data(), b.data() + 8, 16);
  std::memcpy(key_.destination.data(), b.data() + 24, 16);
  return payload(b[6], s);
}

Decoded Decoder::fragment(const Fragment& f, std::uint8_t protocol) {
  if (whole_used_ == whole_.size()) whole_.emplace_back();
  Fragments::Whole& w = whole_[whole_used_];
  const FragmentKey key = key_;
  if (!fragments_.add(key, f, protocol, time_ns_, w)) return Decoded::fragment;
  ++whole_used_;
  return payload(w.protocol, {w.data, w.wire_length});
}

Decoded Decoder::payload(std::uint8_t protocol, Span s) {
  // The headers between, then what they lead to. A chain can't be longer than the packet: each link drops bytes.
  for (;;) {
    const Bytes b = s.data;
    switch (protocol) {
      case 0:
      case 43:
      case 60:
      case 135:
      case 139:
      case 140: {  // IPv6 extension headers with a length
        if (b.size() < 8 || !drop(s, (std::size_t{b[1]} + 1) * 8)) return Decoded::undecodable;
        protocol = b[0];
        continue;
      }
      case 51: {  // authentication header; its payload is plain
        if (b.size() < 12 || !drop(s, (std::size_t{b[1]} + 2) * 4)) return Decoded::undecodable;
        protocol = b[0];
        continue;
      }
      case 44: {
        if (!drop(s, 8)) return Decoded::undecodable;
        const std::uint16_t place = u16(b, 2);
        if ((place & 0xfff9) != 0) {
          if (!deeper()) return Decoded::undecodable;
          key_.id = load_be<std::uint32_t>(b.data() + 4);
          return fragment({place & 0xfff8u, static_cast<std::uint32_t>(s.wire), (place & 1) != 0, s.data}, b[0]);
        }
        protocol = b[0];  // an atomic fragment, RFC 6946
        continue;
      }
      case 6:
        return tcp(s);
      case 17:
        return udp(s);
      case 4:
      case 41:
        return ip(s);
      case 47:
        return gre(s);
      case 97:  // EtherIP, RFC 3378
        return drop(s, 2) ? ethernet(s) : Decoded::undecodable;
      case 137:
        return mpls(s);
      default:
        return Decoded::other;
    }
  }
}

/// RFC 2784, 2890 (key, sequence), 2637 (PPTP, version 1), draft-foschiano-erspan.
Decoded Decoder::gre(Span s) {
  const Bytes b = s.data;
  if (!drop(s, 4)) return Decoded::undecodable;
  const std::uint16_t flags = u16(b, 0), type = u16(b, 2);
  const int version = flags & 7;
  if (version > 1) return Decoded::other;
  std::size_t more = 0;
  if (version == 0 && (flags & 0xc000) != 0) more += 4;  // checksum or routing: both words are there with either
  if ((flags & 0x2000) != 0) more += 4;
  if ((flags & 0x1000) != 0) more += 4;
  if (version == 1 && (flags & 0x0080) != 0) more += 4;
  if ((flags & 0x4000) != 0 && version == 0) return Decoded::other;  // source routes: nobody sends them
  if (!drop(s, more)) return Decoded::undecodable;
  if (type == 0x88be) {  // ERSPAN II has a sequence number, I has no header at all
    if ((flags & 0x1000) != 0 && !drop(s, 8)) return Decoded::undecodable;
    return ethernet(s);
  }
  if (type == 0x22eb) {
    const Bytes e = s.data;
    if (!drop(s, 12)) return Decoded::undecodable;
    if ((e[11] & 1) != 0 && !drop(s, 8)) return Decoded::undecodable;
    const int frame = e[10] >> 2 & 0x1f;  // 0: Ethernet, 2: IP
    return frame == 2 ? ip(s) : ethernet(s);
  }
  if (!deeper()) return Decoded::undecodable;
  return ether_type(type, s);
}

Decoded Decoder::udp(Span s) {
  const Bytes b = s.data;
  if (!drop(s, 8)) return Decoded::undecodable;
  const std::uint16_t port = u16(b, 2);
  if (port == 4789 || port == 8472) {  // VXLAN, RFC 7348; 8472 is Linux's old default (flannel)
    const Bytes v = s.data;
    if (v.size() < 8) return Decoded::undecodable;
    if ((v[0] & 0x08) == 0) return Decoded::other;
    drop(s, 8);
    return ethernet(s);
  }
  if (port == 6081) {  // GENEVE, RFC 8926
    const Bytes g = s.data;
    if (g.size() < 8) return Decoded::undecodable;
    if ((g[0] & 0xc0) != 0) return Decoded::other;
    const std::uint16_t type = u16(g, 2);
    if (!drop(s, 8 + std::size_t{g[0] & 0x3fu} * 4) || !deeper()) return Decoded::undecodable;
    return ether_type(type, s);
  }
  return Decoded::other;
}

Decoded Decoder::tcp(Span s) {
  const Bytes b = s.data;
  if (b.size() < 20) return Decoded::undecodable;
  const std::size_t header = std::size_t{b[12]} / 16 * 4;
  if (header < 20 || header > s.wire) return Decoded::undecodable;
  Segment& t = *out_;
  t.source = {key_.source, u16(b, 0), key_.v6};
  t.destination = {key_.destination, u16(b, 2), key_.v6};
  t.seq = load_be<std::uint32_t>(b.data() + 4);
  t.acknowledged = load_be<std::uint32_t>(b.data() + 8);
  t.flags = b[13];
  t.window = u16(b, 14);
  t.ip_id = key_.v6 ? 0 : key_.id;
  const std::size_t present = std::min(header, b.size());
  t.options = b.subspan(20, present - 20);
  t.payload = b.subspan(present);
  t.wire_payload = static_cast<std::uint32_t>(s.wire - header);
  return Decoded::tcp;
}

}  // namespace kparse::capture
