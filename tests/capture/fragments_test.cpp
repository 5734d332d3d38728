// SPDX-License-Identifier: MIT
#include "capture/fragments.h"

#include <gtest/gtest.h>

#include "capture/decoder.h"
#include "packet_builder.h"

namespace kparse::capture {
namespace {

using namespace build;

struct Flow {
  Decoder decoder;
  Segment segment;
  Decoded add(const Raw& data, std::int64_t time_ns = 0, std::uint32_t wire = 0) {
    Packet p;
    p.data = data;
    p.wire_length = wire != 0 ? wire : static_cast<std::uint32_t>(data.size());
    p.link_type = 101;
    p.stamp.time_ns = time_ns;
    return decoder.decode(p, segment);
  }
  [[nodiscard]] Raw payload() const { return {segment.payload.begin(), segment.payload.end()}; }
};

/// Pieces of a datagram, 40 bytes each.
std::vector<Raw> pieces(const Raw& whole, std::uint16_t id, bool v6 = false) {
  std::vector<Raw> r;
  for (std::size_t at = 0; at < whole.size(); at += 40) {
    const std::size_t end = std::min(whole.size(), at + 40);
    const Raw part(whole.begin() + static_cast<std::ptrdiff_t>(at), whole.begin() + static_cast<std::ptrdiff_t>(end));
    const bool more = end != whole.size();
    if (v6) {
      r.push_back(ipv6(44, u8(6) + u8(0) + u16(at | (more ? 1 : 0)) + u32(id) + part));
    } else {
      r.push_back(ipv4(6, part, {.id = id, .place = static_cast<std::uint16_t>(at / 8 | (more ? 0x2000 : 0))}));
    }
  }
  return r;
}

const Raw data = pattern(200);

TEST(Fragments, InAnyOrder) {
  for (const bool v6 : {false, true}) {
    std::vector<Raw> p = pieces(tcp({}, data), 7, v6);
    ASSERT_EQ(p.size(), 6u);
    std::vector<std::size_t> order = {0, 1, 2, 3, 4, 5};
    do {
      Flow f;
      for (std::size_t i = 0; i < 5; ++i) ASSERT_EQ(f.add(p[order[i]]), Decoded::fragment);
      ASSERT_EQ(f.add(p[order[5]]), Decoded::tcp);
      ASSERT_EQ(f.payload(), data);
      ASSERT_EQ(f.segment.wire_payload, 200u);
      ASSERT_EQ(f.decoder.fragments().incomplete(), 0u);
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST(Fragments, OfSeveralDatagramsAtOnce) {
  Flow f;
  const Raw other = pattern(200, 99);
  const std::vector<Raw> a = pieces(tcp({}, data), 1), b = pieces(tcp({}, other), 2);
  for (std::size_t i = 0; i < 5; ++i) {
    f.add(a[i]);
    f.add(b[i]);
  }
  EXPECT_EQ(f.add(b[5]), Decoded::tcp);
  EXPECT_EQ(f.payload(), other);
  EXPECT_EQ(f.add(a[5]), Decoded::tcp);
  EXPECT_EQ(f.payload(), data);
}

TEST(Fragments, OfFragments) {
  // a fragmented segment in a fragmented tunnel packet
  Flow f;
  const std::vector<Raw> inner = pieces(tcp({}, data), 5);
  for (std::size_t i = 0; i < inner.size(); ++i) {
    std::vector<Raw> outer;
    for (std::size_t at = 0; at < inner[i].size(); at += 16) {
      const std::size_t end = std::min(inner[i].size(), at + 16);
      const Raw part(inner[i].begin() + static_cast<std::ptrdiff_t>(at),
                     inner[i].begin() + static_cast<std::ptrdiff_t>(end));
      outer.push_back(ipv4(4, part,
                           {.id = static_cast<std::uint16_t>(100 + i),
                            .place = static_cast<std::uint16_t>(at / 8 | (end != inner[i].size() ? 0x2000 : 0))}));
    }
    for (std::size_t k = 0; k < outer.size(); ++k) {
      const bool last = i + 1 == inner.size() && k + 1 == outer.size();
      EXPECT_EQ(f.add(outer[k]), last ? Decoded::tcp : Decoded::fragment);
    }
  }
  EXPECT_EQ(f.payload(), data);
}

TEST(Fragments, OverlapsFirstCopyWins) {
  Flow f;
  const Raw whole = tcp({}, data);
  std::vector<Raw> p = pieces(whole, 3);
  for (std::size_t i = 0; i < 5; ++i) f.add(p[i]);
  Raw forged = p[2];
  for (std::size_t i = 20; i < forged.size(); ++i) forged[i] ^= 0xff;
  EXPECT_EQ(f.add(forged), Decoded::fragment);
  EXPECT_EQ(f.add(p[5]), Decoded::tcp);
  EXPECT_EQ(f.payload(), data);
}

TEST(Fragments, CutPiecesLeaveWhatIsBeforeThem) {
  Flow f;
  std::vector<Raw> p = pieces(tcp({}, data), 3);
  const auto full = static_cast<std::uint32_t>(p[2].size());
  p[2].resize(30);
  for (std::size_t i = 0; i < 5; ++i) f.add(p[i], 0, i == 2 ? full : 0);
  EXPECT_EQ(f.add(p[5]), Decoded::tcp);
  EXPECT_EQ(f.segment.wire_payload, 200u);
  EXPECT_EQ(f.payload(), Raw(data.begin(), data.begin() + 80 + 10 - 20));
}

TEST(Fragments, OldOnesAreGivenUp) {
  Flow f;
  const std::vector<Raw> p = pieces(tcp({}, data), 3);
  for (std::size_t i = 0; i < 5; ++i) f.add(p[i]);
  EXPECT_EQ(f.add(p[5], 31'000'000'000), Decoded::fragment);  // the identification is used again
  EXPECT_EQ(f.decoder.fragments().incomplete(), 2u);
}

TEST(Fragments, TableIsBounded) {
  Fragments t(10, 1 << 20);
  Fragments::Whole w;
  const Raw part = pattern(8);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    FragmentKey k;
    k.id = i;
    t.add(k, {8, 8, true, part}, 6, 0, w);
  }
  EXPECT_EQ(t.given_up(), 990u);
  Fragments bytes(1000, 64 << 10);
  const Raw large = pattern(8000);
  for (std::uint32_t i = 0; i < 100; ++i) {
    FragmentKey k;
    k.id = i;
    bytes.add(k, {8, 8000, true, large}, 6, 0, w);
  }
  EXPECT_GE(bytes.given_up(), 91u);
  EXPECT_LE(bytes.given_up(), 93u);
}

}  // namespace
}  // namespace kparse::capture
