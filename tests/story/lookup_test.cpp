// SPDX-License-Identifier: MIT
// Tables whose keys mostly come in the same order, and topics by the bytes of the frame at hand.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "story/following_map.h"
#include "story/topic_index.h"

namespace kparse::story {
namespace {

TEST(FollowingMap, is_a_map_whatever_the_order) {
  std::mt19937 random(1);
  FollowingMap<int, int> ours;
  std::map<int, int> theirs;
  for (int n = 0; n < 20'000; ++n) {
    const int key = n % 3 == 0 ? static_cast<int>(random() % 50) : n % 50;
    const auto known = theirs.find(key);
    int* const found = ours.find(key);
    ASSERT_EQ(found != nullptr, known != theirs.end()) << n;
    if (found) {
      ASSERT_EQ(*found, known->second) << n;
    } else {
      ours.add(key) = theirs[key] = n;
    }
    if (n % 997 != 0) continue;
    const auto even = [](int k, int) { return k % 2 == 0; };
    ours.erase_if(even);
    std::erase_if(theirs, [&](const auto& e) { return even(e.first, e.second); });
    ASSERT_EQ(ours.size(), theirs.size());
  }
  std::map<int, int> all;
  ours.each([&](int key, int value) { all[key] = value; });
  EXPECT_EQ(all, theirs);
}

TEST(TopicIndex, another_frame_may_have_other_bytes_at_the_same_place) {
  TopicIndex index;
  std::string buffer = "orders";
  const TopicRef topic{.name = buffer, .id = nullptr};
  index.begin_frame();
  const TopicNumber orders = index.of_frame(topic);
  EXPECT_EQ(index.of_frame(topic), orders);
  buffer = "events";  // as long
  index.begin_frame();
  const TopicNumber events = index.of_frame(topic);
  EXPECT_NE(events, orders);
  EXPECT_EQ(index.of({.name = "orders", .id = nullptr}), orders);
  EXPECT_EQ(index.of({.name = "events", .id = nullptr}), events);
}

TEST(TopicIndex, an_empty_name_and_a_longer_one_at_the_same_place) {
  TopicIndex index;
  const std::string name = "orders";
  index.begin_frame();
  const TopicNumber none = index.of_frame({.name = {}, .id = nullptr});
  const TopicNumber part = index.of_frame({.name = std::string_view(name).substr(0, 3), .id = nullptr});
  const TopicNumber whole = index.of_frame({.name = name, .id = nullptr});
  EXPECT_NE(none, part);
  EXPECT_NE(part, whole);
}

}  // namespace
}  // namespace kparse::story
