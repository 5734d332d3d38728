// SPDX-License-Identifier: MIT
#include "capture/decoder.h"

#include <gtest/gtest.h>

#include "packet_builder.h"

namespace kparse::capture {
namespace {

using namespace build;

const Raw payload = bytes("kafka");
const Raw segment = tcp({40000, 9092, 100, 200, 0x18}, payload, zeros(4));
const Raw ip4 = ipv4(6, segment);
const Raw ip6 = ipv6(6, segment);

struct Result {
  Decoded what;
  Segment s;
  Raw payload;
};

Result decode(std::uint16_t link_type, const Raw& data, std::uint32_t wire = 0) {
  Decoder d;
  Packet p;
  p.data = data;
  p.wire_length = wire != 0 ? wire : static_cast<std::uint32_t>(data.size());
  p.link_type = link_type;
  Result r;
  r.what = d.decode(p, r.s);
  if (r.what == Decoded::tcp) r.payload.assign(r.s.payload.begin(), r.s.payload.end());
  return r;
}

struct Layered {
  const char* name;
  std::uint16_t link_type;
  Raw data;
};

std::vector<Layered> layers() {
  const Raw eth = ethernet(0x0800, ip4);
  const Raw mpls_bottom = u32(0x000641ff), mpls_top = u32(0x000640ff);
  const auto gre = [](std::uint16_t flags, std::uint16_t type, const Raw& more, const Raw& inner) {
    return ethernet(0x0800, ipv4(47, u16(flags) + u16(type) + more + inner));
  };
  const Raw vxlan = u32(0x08000000) + u32(7 << 8);
  return {
      {"ethernet", 1, eth},
      {"ethernet, IPv6", 1, ethernet(0x86dd, ip6)},
      {"VLAN", 1, ethernet(0x8100, u16(5) + u16(0x0800) + ip4)},
      {"QinQ", 1, ethernet(0x88a8, u16(5) + u16(0x8100) + u16(6) + u16(0x86dd) + ip6)},
      {"QinQ 9100", 1, ethernet(0x9100, u16(5) + u16(0x8100) + u16(6) + u16(0x0800) + ip4)},
      {"E-TAG", 1, ethernet(0x893f, zeros(6) + u16(0x0800) + ip4)},
      {"VN-Tag", 1, ethernet(0x8926, zeros(4) + u16(0x0800) + ip4)},
      {"PBB", 1, ethernet(0x88e7, zeros(4) + eth)},
      {"LLC SNAP", 1, ethernet(300, u32(0xaaaa0300) + u16(0) + u16(0x0800) + ip4)},
      {"MPLS", 1, ethernet(0x8847, mpls_top + mpls_bottom + ip4)},
      {"MPLS, IPv6", 1, ethernet(0x8847, mpls_bottom + ip6)},
      {"MPLS pseudowire", 1, ethernet(0x8847, mpls_bottom + u32(0) + eth)},
      {"PPPoE", 1, ethernet(0x8864, u32(0x11000001) + u16(ip4.size() + 2) + u16(0x21) + ip4)},
      {"PPPoE, IPv6", 1, ethernet(0x8864, u32(0x11000001) + u16(ip6.size() + 2) + u16(0x57) + ip6)},
      {"cooked", 113, zeros(14) + u16(0x0800) + ip4},
      {"cooked, VLAN", 113, zeros(14) + u16(0x8100) + u16(1) + u16(0x86dd) + ip6},
      {"cooked 2", 276, u16(0x0800) + zeros(18) + ip4},
      {"null, little", 0, number(2, 4, false) + ip4},
      {"null, big", 0, u32(2) + ip4},
      {"null, IPv6 of FreeBSD", 0, number(28, 4, false) + ip6},
      {"null, IPv6 of macOS", 0, number(30, 4, false) + ip6},
      {"loop", 108, u32(24) + ip6},
      {"raw", 101, ip4},
      {"raw, IPv6", 101, ip6},
      {"raw 12", 12, ip4},
      {"raw 14", 14, ip6},
      {"IPv4", 228, ip4},
      {"IPv6", 229, ip6},
      {"PPP", 9, u16(0x21) + ip4},
      {"PPP with HDLC address", 9, u16(0xff03) + u16(0x57) + ip6},
      {"PPP, short protocol", 9, u8(0x21) + ip4},
      {"PPP HDLC", 50, u16(0xff03) + u16(0x21) + ip4},
      {"PPP with direction", 204, u8(1) + u16(0xff03) + u16(0x21) + ip4},
      {"Cisco HDLC", 104, u16(0x0f00) + u16(0x0800) + ip4},
      {"PPPoE link", 51, u32(0x11000001) + u16(ip4.size() + 2) + u16(0x21) + ip4},
      {"IPv4 options", 101, ipv4(6, segment, {}, zeros(12))},
      {"IPv4 in IPv4", 101, ipv4(4, ip4)},
      {"6in4", 101, ipv4(41, ip6)},
      {"IPv4 in IPv6", 101, ipv6(4, ip4)},
      {"AH", 101, ipv4(51, u8(6) + u8(4) + zeros(22) + segment)},
      {"IPv6 extension headers", 101,
       ipv6(0, u8(43) + u8(0) + zeros(6) + (u8(60) + u8(1) + zeros(14)) + (u8(6) + u8(0) + zeros(6)) + segment)},
      {"IPv6 atomic fragment", 101, ipv6(44, u8(6) + u8(0) + u16(0) + u32(1) + segment)},
      {"MPLS in IP", 101, ipv4(137, mpls_bottom + ip4)},
      {"EtherIP", 101, ipv4(97, u16(0x3000) + eth)},
      {"GRE", 1, gre(0, 0x0800, {}, ip4)},
      {"GRE with checksum, key and sequence", 1, gre(0xb000, 0x86dd, zeros(12), ip6)},
      {"NVGRE", 1, gre(0x2000, 0x6558, zeros(4), eth)},
      {"ERSPAN I", 1, gre(0, 0x88be, {}, eth)},
      {"ERSPAN II", 1, gre(0x1000, 0x88be, zeros(4 + 8), eth)},
      {"ERSPAN III", 1, gre(0x1000, 0x22eb, zeros(4 + 12), eth)},
      {"ERSPAN III with subheader", 1, gre(0x1000, 0x22eb, zeros(4 + 11) + u8(1) + zeros(8), eth)},
      {"PPTP", 1, gre(0x3081, 0x880b, zeros(12), u16(0xff03) + u16(0x21) + ip4)},
      {"GRE, MPLS", 1, gre(0, 0x8847, mpls_bottom, ip4)},
      {"VXLAN", 1, ethernet(0x0800, ipv4(17, udp(4789, vxlan + eth)))},
      {"VXLAN 8472 in IPv6", 1, ethernet(0x86dd, ipv6(17, udp(8472, vxlan + ethernet(0x86dd, ip6))))},
      {"GENEVE with options", 1,
       ethernet(0x0800, ipv4(17, udp(6081, u8(2) + u8(0) + u16(0x6558) + u32(0) + zeros(8) + eth)))},
      {"GENEVE, IP", 1, ethernet(0x0800, ipv4(17, udp(6081, u16(0) + u16(0x0800) + u32(0) + ip4)))},
      {"VXLAN in VXLAN", 1,
       ethernet(0x0800, ipv4(17, udp(4789, vxlan + ethernet(0x0800, ipv4(17, udp(4789, vxlan + eth))))))},
  };
}

TEST(Decoder, FindsTheSegmentInEveryWrapping) {
  for (const Layered& l : layers()) {
    const Result r = decode(l.link_type, l.data);
    ASSERT_EQ(r.what, Decoded::tcp) << l.name;
    EXPECT_EQ(r.payload, payload) << l.name;
    EXPECT_EQ(r.s.wire_payload, 5u) << l.name;
    EXPECT_EQ(r.s.seq, 100u);
    EXPECT_EQ(r.s.acknowledged, 200u);
    EXPECT_EQ(r.s.flags, 0x18);
    EXPECT_EQ(r.s.options.size(), 4u);
    EXPECT_EQ(r.s.source.text(), r.s.source.v6 ? "[2001:db8::1]:40000" : "10.0.0.1:40000") << l.name;
    EXPECT_EQ(r.s.destination.text(), r.s.source.v6 ? "[2001:db8::2]:9092" : "10.0.0.2:9092") << l.name;
  }
}

TEST(Decoder, EveryPrefixIsACutPacketOrNone) {
  for (const Layered& l : layers()) {
    for (std::size_t n = 0; n < l.data.size(); ++n) {
      const Raw cut(l.data.begin(), l.data.begin() + static_cast<std::ptrdiff_t>(n));
      const Result r = decode(l.link_type, cut, static_cast<std::uint32_t>(l.data.size()));
      if (r.what != Decoded::tcp) continue;
      EXPECT_GE(n + 9, l.data.size()) << l.name;  // the fixed TCP header must be there
      EXPECT_EQ(r.s.wire_payload, 5u) << l.name << n;
      EXPECT_EQ(r.payload.size(), n + 5 > l.data.size() ? n + 5 - l.data.size() : 0) << l.name;
    }
  }
}

TEST(Decoder, EveryFlippedByteIsSafe) {
  for (const Layered& l : layers()) {
    for (std::size_t at = 0; at < l.data.size(); ++at) {
      for (const std::uint8_t x : {0xff, 0x80, 0x01, 0x40}) {
        Raw data = l.data;
        data[at] ^= x;
        const Result r = decode(l.link_type, data);
        EXPECT_TRUE(r.what != Decoded::tcp || r.payload.size() <= r.s.wire_payload) << l.name << at;
      }
    }
  }
}

TEST(Decoder, EthernetPaddingIsNoPayload) {
  const Raw ack = ipv4(6, tcp({}));
  const Result r = decode(1, ethernet(0x0800, ack) + zeros(6));
  EXPECT_EQ(r.what, Decoded::tcp);
  EXPECT_EQ(r.s.wire_payload, 0u);
  EXPECT_TRUE(r.payload.empty());
  EXPECT_EQ(decode(1, ethernet(0x86dd, ipv6(6, tcp({}))) + zeros(6)).s.wire_payload, 0u);
}

TEST(Decoder, LengthsThatLieAreReplaced) {
  const Raw big = pattern(70'000);
  Result r = decode(101, ipv4(6, tcp({}, big), {.total = 0}));
  EXPECT_EQ(r.payload, big);
  r = decode(101, ipv4(6, tcp({}, big), {.total = (70'000 + 40) % 65536}));  // what fits of it
  EXPECT_EQ(r.payload, big);
  r = decode(101, ipv6(6, tcp({}, big), 0));
  EXPECT_EQ(r.payload, big);
  // RFC 2675: hop-by-hop option 194 has the length
  r = decode(101, ipv6(0, u8(6) + u8(0) + u8(0xc2) + u8(4) + u32(8 + 20 + 70'000) + tcp({}, big), 0));
  EXPECT_EQ(r.payload, big);
  EXPECT_EQ(decode(101, ipv4(6, segment, {.total = 19})).what, Decoded::undecodable);
}

TEST(Decoder, CutBySnaplen) {
  const Raw whole = ethernet(0x0800, ipv4(6, tcp({}, pattern(1000))));
  const Raw some(whole.begin(), whole.begin() + 96);
  Result r = decode(1, some, 1054);
  EXPECT_EQ(r.s.wire_payload, 1000u);
  EXPECT_EQ(r.payload.size(), 42u);
  r = decode(1, some, 96);  // a tool that forgot the length on the wire
  EXPECT_EQ(r.s.wire_payload, 1000u);
}

TEST(Decoder, OtherTraffic) {
  EXPECT_EQ(decode(1, ethernet(0x0806, zeros(28))).what, Decoded::other);
  EXPECT_EQ(decode(1, ethernet(0x0800, ipv4(17, udp(53, zeros(10))))).what, Decoded::other);
  EXPECT_EQ(decode(1, ethernet(0x0800, ipv4(17, udp(4789, zeros(30))))).what, Decoded::other);  // no VXLAN flag
  EXPECT_EQ(decode(1, ethernet(0x0800, ipv4(1, zeros(10)))).what, Decoded::other);
  EXPECT_EQ(decode(147, ethernet(0x0800, ip4)).what, Decoded::undecodable);
  EXPECT_EQ(decode(1, {}).what, Decoded::undecodable);
}

TEST(Decoder, DepthIsBounded) {
  Raw data = ip4;
  for (int i = 0; i < 200; ++i) data = ipv4(4, data);
  EXPECT_EQ(decode(101, data).what, Decoded::undecodable);
}

TEST(Endpoint, TextAsInRfc5952) {
  Endpoint e;
  e.v6 = true;
  e.port = 1;
  EXPECT_EQ(e.text(), "[::]:1");
  e.ip = {0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1};
  EXPECT_EQ(e.text(), "[2001:db8::1:0:0:1]:1");
}

}  // namespace
}  // namespace kparse::capture
