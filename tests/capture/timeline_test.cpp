// SPDX-License-Identifier: MIT
#include "capture/timeline.h"

#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "packet_builder.h"

namespace kparse::capture {
namespace {

using namespace build;

/// A packet that says which one it is.
Record packet(int id, std::int64_t us) { return {us * 1000, u32(static_cast<std::uint64_t>(id)), 0}; }

std::vector<int> order(Timeline& t) {
  std::vector<int> ids;
  while (const Packet* p = t.next()) ids.push_back(static_cast<int>(load_be<std::uint32_t>(p->data.data())));
  return ids;
}
std::vector<int> order(const std::vector<std::string>& names, TimelineOptions o = {}) {
  Timeline t(names, o);
  t.open();
  return order(t);
}
std::vector<int> count(int n) {
  std::vector<int> v;
  for (int i = 0; i < n; ++i) v.push_back(i);
  return v;
}

TEST(Timeline, FilesFollowByTimeHoweverGiven) {
  Folder f;
  const std::string a = f.write("a", pcap({packet(0, 10), packet(1, 20)})), b = f.write("b", pcap({packet(2, 30)})),
                    c = f.write("c", pcap({packet(3, 40), packet(4, 50)}));
  EXPECT_EQ(order({c, a, b}), count(5));
  EXPECT_EQ(order({b, c, a}), count(5));
}

TEST(Timeline, OverlappingFilesAreMergedPacketByPacket) {
  Folder f;
  const std::string a = f.write("a", pcap({packet(0, 10), packet(2, 30), packet(3, 30), packet(6, 90)})),
                    b = f.write("b", pcap({packet(1, 20), packet(4, 30), packet(5, 50)}));
  EXPECT_EQ(order({a, b}), count(7));
  EXPECT_EQ(order({b, a}), count(7));
}

TEST(Timeline, StampsNameTheFileAsGivenAndThePacketInIt) {
  Folder f;
  Timeline t({f.write("b", pcap({packet(2, 30)})), f.write("a", pcap({packet(0, 10), packet(1, 20)}))});
  t.open();
  const Packet* p = t.next();
  EXPECT_EQ(p->stamp.file, 1u);
  EXPECT_EQ(p->stamp.packet, 1u);
  p = t.next();
  EXPECT_EQ(p->stamp.packet, 2u);
  p = t.next();
  EXPECT_EQ(p->stamp.file, 0u);
  EXPECT_EQ(p->stamp.packet, 1u);
  EXPECT_EQ(t.next(), nullptr);
  EXPECT_EQ(t.files()[1].packets, 2u);
  EXPECT_EQ(t.files()[0].last_time, 30'000);
}

TEST(Timeline, TimeThatGoesBackInAFileChangesNothing) {
  Folder f;
  EXPECT_EQ(order({f.write("a", pcap({packet(0, 10), packet(1, 50), packet(2, 20), packet(3, 60)}))}), count(4));
}

TEST(Timeline, EverySplitIsTheSameObservation) {
  Folder f;
  // runs of equal times, also at the borders
  std::vector<Record> all;
  for (int i = 0; i < 12; ++i)
    all.push_back(packet(i, std::vector<int>{1, 1, 2, 3, 3, 3, 3, 4, 5, 5, 6, 6}[static_cast<std::size_t>(i)]));
  for (std::size_t x = 1; x < all.size(); ++x) {
    for (std::size_t y = x + 1; y < all.size(); ++y) {
      const auto part = [&](std::size_t from, std::size_t to) {
        return pcap({all.begin() + static_cast<std::ptrdiff_t>(from), all.begin() + static_cast<std::ptrdiff_t>(to)});
      };
      const std::string a = f.write("a", part(0, x)), b = f.write("b", part(x, y)),
                        c = f.write("c", part(y, all.size()));
      EXPECT_EQ(order({a, b, c}), count(12)) << x << " " << y;
    }
    const std::string a = f.write("a", pcap({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(x)})),
                      b = f.write("b", pcap({all.begin() + static_cast<std::ptrdiff_t>(x), all.end()}));
    EXPECT_EQ(order({b, a}), count(12)) << x;  // the wrong way round; for x = 1 a file of one instant goes first
  }
}

TEST(Timeline, ManyRotatedFilesAndFewDescriptors) {
  Folder f;
  std::vector<std::string> names;
  for (int i = 0; i < 300; ++i) {
    names.push_back(f.write("r" + std::to_string(i), pcap({packet(2 * i, 20 * i), packet(2 * i + 1, 20 * i + 1)})));
  }
  std::vector<std::string> overlapping;
  for (int i = 0; i < 300; ++i) {
    overlapping.push_back(f.write("o" + std::to_string(i), pcap({packet(i, i), packet(300 + i, 1000 + i)})));
  }
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit few{100, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &few);
  EXPECT_EQ(order(names), count(600));
  EXPECT_EQ(order(overlapping), count(600));
  setrlimit(RLIMIT_NOFILE, &before);
}

TEST(Timeline, BadFilesDontStopTheOthers) {
  Folder f;
  Raw damaged = pcap({packet(0, 10), packet(1, 20)});
  damaged.pop_back();
  Timeline t({f.path() + "/none", f.write("a", damaged), f.write("empty", {}), f.write("h", pcap_header()),
              f.write("b", pcap({packet(1, 30)}))});
  t.open();
  EXPECT_EQ(order(t), count(2));
  EXPECT_EQ(t.files()[0].error, "No such file or directory");
  EXPECT_EQ(text_of(t.files()[1].damage.value()), "cut off inside a packet at byte 44");
  EXPECT_EQ(t.files()[2].error, "is empty");
  EXPECT_EQ(t.files()[3].error, "");
  EXPECT_EQ(t.files()[3].format, "pcap");
  EXPECT_EQ(t.files()[3].packets, 0u);
  EXPECT_FALSE(t.files()[4].damage);
}

TEST(Timeline, PipesAreReadOnce) {
  Folder f;
  const std::string pipe = f.path() + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] {
    const Raw data = pcap({packet(1, 15), packet(3, 40)});
    const int fd = ::open(pipe.c_str(), O_WRONLY);
    for (const std::uint8_t byte : data) {  // in the smallest pieces
      if (::write(fd, &byte, 1) != 1) break;
    }
    ::close(fd);
  });
  EXPECT_EQ(order({pipe, f.write("a", pcap({packet(0, 10), packet(2, 20)}))}), count(4));
  writer.join();
}

TEST(Timeline, StopEndsTheReadingWithoutDamage) {
  Folder f;
  std::atomic<bool> stop{false};
  std::vector<Record> many;
  for (int i = 0; i < 100'000; ++i) many.push_back(packet(i, i));
  TimelineOptions o;
  o.stop = &stop;
  Timeline t({f.write("a", pcap(many))}, o);
  t.open();
  ASSERT_NE(t.next(), nullptr);
  stop = true;
  EXPECT_LT(order(t).size(), 50'000u);
  EXPECT_FALSE(t.files()[0].damage);
}

TEST(Timeline, SecretsOfAllFiles) {
  Folder f;
  const Pcapng ng;
  const auto file = [&](const char* text, std::uint64_t us) {
    return ng.section() + ng.interface(1) + ng.block(10, ng.n(1, 4) + ng.n(2, 4) + bytes(text)) +
           ng.enhanced(0, us, u32(0));
  };
  Timeline t({f.write("b", file("bb", 20)), f.write("a", file("aa", 10))});
  t.open();
  order(t);
  ASSERT_EQ(t.secrets().size(), 2u);
  EXPECT_EQ(t.secrets()[0].data, "aa");
  EXPECT_EQ(t.secrets()[1].data, "bb");
}

}  // namespace
}  // namespace kparse::capture
