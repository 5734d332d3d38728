// SPDX-License-Identifier: MIT
#include "capture/capture.h"

#include <gtest/gtest.h>

#include "tcp_talk.h"

namespace kparse::capture {
namespace {

using namespace build;

Raw segment(std::uint32_t seq, const Raw& payload, std::uint8_t flags = 0x10) {
  return tcp({.seq = seq, .flags = flags}, payload);
}

TEST(Capture, FromFilesToStreams) {
  Folder f;
  const Raw split = segment(103, bytes("defghijklmno"));
  const std::vector<Record> all = {
      {1000, ethernet(0x0800, ipv4(6, segment(99, {}, 2))), 0},
      {2000, ethernet(0x0806, zeros(28)), 0},
      {3000, ethernet(0x0800, ipv4(6, segment(100, bytes("abc")))), 0},
      {4000, ethernet(0x0800, ipv4(6, Raw(split.begin() + 24, split.end()), {.id = 9, .place = 3})), 0},  // last first
      {5000, ethernet(0x0800, ipv4(6, Raw(split.begin(), split.begin() + 24), {.id = 9, .place = 0x2000})), 0},
      {6000, ethernet(0x0800, zeros(10)), 0},
  };
  const auto part = [&](std::size_t from, std::size_t to) {
    return pcap({all.begin() + static_cast<std::ptrdiff_t>(from), all.begin() + static_cast<std::ptrdiff_t>(to)});
  };
  for (std::size_t at = 1; at < all.size(); ++at) {
    Recorder r;
    Capture c({f.write("b", part(at, all.size())), f.write("a", part(0, at))}, r);
    ASSERT_EQ(c.filter(""), "");
    c.open();
    while (c.step() != nullptr) {
    }
    c.finish();
    EXPECT_EQ(r.all[0].stream[0], "abcdefghijklmno");
    EXPECT_EQ(r.all[0].syn, 0);
    EXPECT_EQ(c.stats().packets, 6u);
    EXPECT_EQ(c.stats().tcp, 3u);
    EXPECT_EQ(c.stats().other, 1u);
    EXPECT_EQ(c.stats().fragments, 1u);
    EXPECT_EQ(c.stats().undecodable, 1u);
    EXPECT_EQ(c.fragments().incomplete(), 0u);
  }
}

}  // namespace
}  // namespace kparse::capture
