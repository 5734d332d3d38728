// SPDX-License-Identifier: MIT
// Random damage to files, packets and conversations: no crash, bounded memory, and streams that still tile.
#include <random>

#include <gtest/gtest.h>

#include "capture/decoder.h"
#include "capture/source.h"
#include "tcp_talk.h"

namespace kparse::capture {
namespace {

using namespace build;
using Random = std::mt19937;

std::uint32_t below(Random& r, std::uint32_t n) { return static_cast<std::uint32_t>(r()) % n; }

TEST(Hostile, RandomConversations) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    Random r(seed);
    TcpOptions o;
    o.max_connections = 3;
    o.max_held = 5000;
    o.max_held_direction = 2000;
    o.wait_packets = 8;
    o.linger_packets = 20;
    o.max_closed = 2;
    Talk t(o);
    for (int i = 0; i < 1000; ++i) {
      t.port = static_cast<std::uint16_t>(1 + below(r, 5));
      if (below(r, 100) == 0) t.client_isn = static_cast<std::uint32_t>(r());
      if (below(r, 100) == 0) t.server_isn = static_cast<std::uint32_t>(r());
      if (below(r, 50) == 0) t.time_ns -= 500'000'000;
      if (below(r, 20) == 0) t.again();
      const std::string s(below(r, 3) == 0 ? 0 : below(r, 300), static_cast<char>('a' + i % 26));
      if (below(r, 8) == 0 && !s.empty()) t.cut_off(below(r, static_cast<std::uint32_t>(s.size()) + 1));
      std::uint8_t flags = Talk::A;
      const std::uint32_t kind = below(r, 60);
      if (kind == 0) flags = Talk::S;
      if (kind == 1) flags = Talk::S | Talk::A;
      if (kind == 2) flags = Talk::R | Talk::A;
      if (kind == 3) flags = Talk::F | Talk::A;
      if (kind == 4) flags = static_cast<std::uint8_t>(below(r, 64));
      const std::int64_t seq = below(r, 40) == 0 ? r() : below(r, 3000), ack = below(r, 40) == 0 ? r() : below(r, 3000);
      if (below(r, 2) == 0) {
        t.client(flags == Talk::S ? -1 : seq, ack, s, flags);
      } else {
        t.server(flags == (Talk::S | Talk::A) ? -1 : seq, ack, s, flags);
      }
    }
    t.end();
    for (const auto& [n, c] : t.recorder.all) ASSERT_FALSE(c.closed.empty()) << seed;
    ASSERT_EQ(t.table.live(), 0u);
  }
}

/// Every byte of a stream that comes in any order, with repeats, comes out once and right.
TEST(Hostile, ShuffledStreamsComeOutRight) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    Random r(seed);
    TcpOptions o;
    o.wait_packets = 100'000;
    Talk t(o);
    t.client_isn = static_cast<std::uint32_t>(r());
    t.handshake();
    std::string all;
    for (int i = 0; i < 2000; ++i) all += static_cast<char>('A' + (i * 7 + i / 26) % 26);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> parts;
    for (std::uint32_t at = 0; at < all.size();) {
      const std::uint32_t n = 1 + below(r, 60);
      parts.emplace_back(
          at, std::min<std::uint32_t>(n + below(r, 2) * below(r, 100), static_cast<std::uint32_t>(all.size()) - at));
      if (below(r, 5) == 0) parts.push_back(parts.back());
      at += n;
    }
    std::shuffle(parts.begin(), parts.end(), r);
    for (const auto& [at, n] : parts) t.client(at, 0, all.substr(at, n));
    ASSERT_EQ(t.from_client(), all) << seed;
    ASSERT_EQ(t.table.stats().conflicting_bytes, 0u);
  }
}

TEST(Hostile, DamagedFiles) {
  const Pcapng ng{false};
  Raw pcapng = ng.section() + ng.interface(1, ng.option(9, u8(9)) + ng.option(14, zeros(8)));
  std::vector<Record> records;
  for (std::size_t i = 0; i < 20; ++i) {
    const Raw packet = ethernet(0x0800, ipv4(6, tcp({.seq = static_cast<std::uint32_t>(i * 50)}, pattern(50))));
    records.push_back({static_cast<std::int64_t>(i) * 1'000'000, packet, 0});
    pcapng = pcapng + (i % 3 == 0   ? ng.simple(104, packet)
                       : i % 3 == 1 ? ng.old(0, i, packet)
                                    : ng.enhanced(0, i, packet));
  }
  Folder f;
  for (const Raw& file : {pcap(records), pcapng}) {
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
      Random r(seed);
      Raw damaged = file;
      for (std::uint32_t n = 1 + below(r, 4); n > 0; --n) {
        damaged[below(r, static_cast<std::uint32_t>(damaged.size()))] = static_cast<std::uint8_t>(r());
      }
      Source s(f.write("a", damaged), 0);
      if (!s.open()) {
        ASSERT_FALSE(s.info().error.empty());
        continue;
      }
      Recorder recorder;
      TcpTable table(recorder);
      Decoder decoder;
      Segment segment;
      Packet p;
      while (s.next(p)) {
        if (decoder.decode(p, segment) == Decoded::tcp) table.add(segment, p.stamp);
      }
      table.finish();
      ASSERT_TRUE(recorder.tiled) << seed;
      ASSERT_LE(s.info().packets, 200u);
    }
  }
}

}  // namespace
}  // namespace kparse::capture
