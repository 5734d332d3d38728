// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "capture/source.h"
#include "packet_builder.h"

namespace kparse::capture {
namespace {

using namespace build;

struct Seen {
  FileInfo info;
  std::vector<Packet> packets;  // data doesn't live
  std::vector<Raw> data;
  std::vector<Secret> secrets;
};

Seen read(const Raw& file) {
  Folder f;
  Source s(f.write("a.pcapng", file), 0);
  Seen r;
  if (s.open()) {
    Packet p;
    while (s.next(p)) {
      r.packets.push_back(p);
      r.data.emplace_back(p.data.begin(), p.data.end());
    }
    r.secrets = s.secrets();
  }
  r.info = s.info();
  return r;
}

TEST(Pcapng, SectionsOfBothByteOrdersWithTheirOwnInterfaces) {
  const Pcapng little{false}, big{true};
  const Seen r = read(little.section() + little.interface(1) + little.interface(276) +
                      little.enhanced(1, 1'000'000, pattern(5)) + big.section() + big.interface(101) +
                      big.enhanced(0, 2'000'000, pattern(6)) + big.enhanced(1, 0, pattern(1)));
  ASSERT_EQ(r.packets.size(), 2u);
  EXPECT_EQ(r.info.format, "pcapng");
  EXPECT_EQ(r.packets[0].link_type, 276);
  EXPECT_EQ(r.packets[0].stamp.time_ns, 1'000'000'000);
  EXPECT_EQ(r.packets[1].link_type, 101);
  EXPECT_EQ(r.packets[1].stamp.time_ns, 2'000'000'000);
  EXPECT_EQ(r.data[1], pattern(6));
  ASSERT_TRUE(r.info.damage);  // the second section has one interface only
  EXPECT_EQ(r.info.damage->reason, "a packet of interface 1, which the file doesn't describe");
}

TEST(Pcapng, TimeResolutionAndOffset) {
  const Pcapng ng{true};
  struct Case {
    Raw options;
    std::uint64_t ticks;
    std::int64_t ns;
  };
  const std::vector<Case> cases = {
      {{}, 1'500'000, 1'500'000'000},
      {ng.option(9, u8(9)), 1'700'000'000'123'456'789, 1'700'000'000'123'456'789},
      {ng.option(9, u8(3)), 1500, 1'500'000'000},
      {ng.option(9, u8(0)), 7, 7'000'000'000},
      {ng.option(9, u8(12)), 1'234'567'890'123, 1'234'567'890},
      {ng.option(9, u8(0x80 | 10)), 1536, 1'500'000'000},
      {ng.option(9, u8(0x80 | 32)), (std::uint64_t{5} << 32) + (1u << 31), 5'500'000'000},
      {ng.option(14, number(100, 8)), 1'000'000, 101'000'000'000},
      {ng.option(14, number(static_cast<std::uint64_t>(-2), 8)), 1'000'000, -1'000'000'000},
      {ng.option(2, bytes("eth0")) + ng.option(9, u8(9)) + ng.option(0, {}) + ng.option(9, u8(3)), 5, 5},
  };
  for (const Case& c : cases) {
    const Seen r = read(ng.section() + ng.interface(1, c.options) + ng.enhanced(0, c.ticks, pattern(4)));
    ASSERT_EQ(r.packets.size(), 1u);
    EXPECT_EQ(r.packets[0].stamp.time_ns, c.ns);
  }
  const Seen r = read(ng.section() + ng.interface(1, ng.option(9, u8(77))));
  ASSERT_TRUE(r.info.damage);
  EXPECT_EQ(r.info.damage->reason, "a time resolution that can't be");
}

TEST(Pcapng, SimpleAndObsoletePackets) {
  const Pcapng ng{false};
  const Seen r = read(ng.section() + ng.interface(1, {}, 20) + ng.old(0, 3'000'000, pattern(9)) +
                      ng.simple(100, pattern(20)) + ng.simple(7, pattern(7)));
  ASSERT_EQ(r.packets.size(), 3u);
  EXPECT_EQ(r.data[0], pattern(9));
  EXPECT_EQ(r.packets[0].stamp.time_ns, 3'000'000'000);
  EXPECT_EQ(r.data[1], pattern(20));
  EXPECT_EQ(r.packets[1].wire_length, 100u);
  EXPECT_EQ(r.data[2], pattern(7));
  EXPECT_EQ(r.packets[2].stamp.time_ns, 3'000'000'000);  // has none of its own
  EXPECT_EQ(r.info.snaplen_cut, 1u);
}

TEST(Pcapng, OtherBlocksAreSkippedAndSecretsKept) {
  const Pcapng ng{false};
  const Raw keys = bytes("CLIENT_RANDOM 00 11\n");
  const Seen r = read(ng.section() + ng.block(0xbad, pattern(700'000)) + ng.interface(1) + ng.block(4, zeros(4)) +
                      ng.block(5, zeros(12)) + ng.block(0x40000bad, pattern(5)) +
                      ng.block(10, ng.n(0x544c534b, 4) + ng.n(keys.size(), 4) + keys) + ng.enhanced(0, 1, pattern(8)));
  ASSERT_EQ(r.packets.size(), 1u);
  EXPECT_FALSE(r.info.damage);
  ASSERT_EQ(r.secrets.size(), 1u);
  EXPECT_EQ(r.secrets[0].type, 0x544c534bu);
  EXPECT_EQ(r.secrets[0].data, "CLIENT_RANDOM 00 11\n");
}

TEST(Pcapng, ContradictionsAreDamageAtTheirPlace) {
  const Pcapng ng{false};
  const Raw good = ng.section() + ng.interface(1) + ng.enhanced(0, 1, pattern(8));
  const auto reason = [&](const Raw& more) {
    const Seen r = read(good + more);
    EXPECT_EQ(r.packets.size(), 1u);
    EXPECT_EQ(r.info.damage.value_or(Damage{}).offset, good.size());
    return r.info.damage.value_or(Damage{}).reason;
  };
  Raw bad = ng.enhanced(0, 1, pattern(8));
  bad[4] ^= 1;
  EXPECT_EQ(reason(bad), "a block length that can't be (41)");
  bad = ng.enhanced(0, 1, pattern(8));
  bad[bad.size() - 4] ^= 4;
  EXPECT_EQ(reason(bad), "two lengths of a block differ");
  bad = ng.enhanced(0, 1, pattern(8));
  bad[20] = 200;
  EXPECT_EQ(reason(bad), "a packet length that can't be (200)");
  EXPECT_EQ(reason(ng.block(10, ng.n(1, 4) + ng.n(5, 4))), "a secrets length that can't be (5)");
  EXPECT_EQ(reason(ng.n(6, 4) + ng.n(8, 4) + zeros(20)), "a block length that can't be (8)");
  EXPECT_EQ(reason(ng.n(77, 4) + ng.n(4000, 4) + zeros(20)), "cut off inside a block");
  bad = ng.section();
  bad[8] = 0;
  EXPECT_EQ(reason(bad), "a section header with an unknown byte order");
  bad = ng.section();
  bad[12] = 9;
  EXPECT_EQ(reason(bad), "pcapng version 9 is unknown");
}

}  // namespace
}  // namespace kparse::capture
