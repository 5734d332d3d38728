// SPDX-License-Identifier: MIT
#include "lint/by_serial.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>
#include <vector>

namespace kparse::lint {
namespace {

std::vector<int> of(const BySerial<int>& s, std::uint64_t serial) {
  std::vector<int> out;
  s.each(serial, [&](int v) { out.push_back(v); });
  return out;
}

TEST(BySerial, KeepsUntilForgotten) {
  BySerial<int> s;
  EXPECT_TRUE(s.empty());
  s.forget(3);
  s.add(3, 30);
  s.add(3, 31);
  s.add(5, 50);
  EXPECT_EQ(of(s, 3), (std::vector{30, 31}));
  EXPECT_EQ(of(s, 4), std::vector<int>{});
  s.forget(5);  // not in their order
  EXPECT_EQ(of(s, 5), std::vector<int>{});
  EXPECT_EQ(of(s, 3), (std::vector{30, 31}));
  s.forget(3);
  EXPECT_TRUE(s.empty());
}

TEST(BySerial, AsAMapWould) {
  std::mt19937 random(7);
  BySerial<int> s;
  std::multimap<std::uint64_t, int> known;
  std::uint64_t next = 0;
  for (int step = 0; step < 20'000; ++step) {
    if (random() % 3 != 0 || known.empty()) {
      next += random() % 2;
      s.add(next, step);
      known.emplace(next, step);
    } else {
      const std::uint64_t serial = random() % 4 == 0 ? random() % (next + 1) : known.begin()->first;
      s.forget(serial);
      known.erase(serial);
    }
    const std::uint64_t asked = next - random() % 8;
    std::vector<int> expected;
    for (auto [at, end] = known.equal_range(asked); at != end; ++at) expected.push_back(at->second);
    ASSERT_EQ(of(s, asked), expected);
  }
  std::vector<std::pair<std::uint64_t, int>> all;
  s.each([&](std::uint64_t serial, int v) { all.emplace_back(serial, v); });
  EXPECT_EQ(all, (std::vector<std::pair<std::uint64_t, int>>(known.begin(), known.end())));
}

TEST(BySerial, TheOldestGoWhereThereAreTooMany) {
  BySerial<int> s;
  for (std::size_t n = 0; n < BySerial<int>::max_items + 2; ++n) s.add(n, static_cast<int>(n));
  EXPECT_EQ(of(s, 1), std::vector<int>{});
  EXPECT_EQ(of(s, 2), (std::vector{2}));
  EXPECT_EQ(of(s, BySerial<int>::max_items + 1), (std::vector{static_cast<int>(BySerial<int>::max_items + 1)}));
}

}  // namespace
}  // namespace kparse::lint
