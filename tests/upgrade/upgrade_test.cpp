// SPDX-License-Identifier: MIT
// What Kafka 4 refuses, against the lists of KIP-896 and of the message files of 3.9 and 4.1.
#include "kparse/upgrade.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace kparse {
namespace {

const Api& api(int key) { return *find_api(key); }

TEST(Upgrade, FloorsAreThoseOfKafka41) {
  const std::map<int, int> floors = {{0, 3},  {1, 4},  {2, 1},  {8, 2},  {9, 1},  {19, 2}, {20, 1}, {23, 2}, {27, 1}, {29, 1}, {30, 1},
                                     {31, 1}, {32, 1}, {34, 1}, {35, 1}, {38, 1}, {39, 1}, {40, 1}, {41, 1}, {56, 2}};
  for (const Api& a : apis()) {
    const auto at = floors.find(a.key);
    EXPECT_EQ(kafka4_floor(a), at == floors.end() ? 0 : at->second) << a.name;
  }
}

TEST(Upgrade, KeptThoughDeprecated) {
  for (const int key : {3, 10, 11, 17, 42}) {
    EXPECT_TRUE(deprecated_before_kafka4(api(key), 0)) << key;
    EXPECT_FALSE(below_kafka4(api(key), 0)) << key;
  }
  EXPECT_TRUE(deprecated_but_kept(3).has(3));
  EXPECT_FALSE(deprecated_but_kept(3).has(4));
  EXPECT_TRUE(deprecated_but_kept(11).has(1));
  EXPECT_FALSE(deprecated_but_kept(11).has(2));
}

TEST(Upgrade, ProduceHasBothAndAdvertisesMore) {
  EXPECT_TRUE(below_kafka4(api(0), 2));
  EXPECT_FALSE(below_kafka4(api(0), 3));
  EXPECT_TRUE(deprecated_before_kafka4(api(0), 0));
  EXPECT_TRUE(deprecated_before_kafka4(api(0), 6));
  EXPECT_FALSE(deprecated_before_kafka4(api(0), 7));
  EXPECT_TRUE(advertised_but_refused(0, 2));
  EXPECT_FALSE(advertised_but_refused(0, 3));
  EXPECT_FALSE(advertised_but_refused(1, 2));
}

TEST(Upgrade, BetweenBrokersNeverDeprecated) {
  EXPECT_TRUE(below_kafka4(api(27), 0));
  EXPECT_FALSE(deprecated_before_kafka4(api(27), 0));
  EXPECT_TRUE(below_kafka4(api(56), 1));
  EXPECT_FALSE(deprecated_before_kafka4(api(56), 1));
}

TEST(Upgrade, GoneWithZooKeeper) {
  for (const Api& a : apis()) EXPECT_EQ(gone_in_kafka4(a), a.key >= 4 && a.key <= 7) << a.name;
  EXPECT_EQ(refused_by_kafka4(api(7)).hi, 3);
}

// Version 0 of these was a preview that no release advertised.
TEST(Upgrade, PreviewsDontCount) {
  for (const int key : {76, 77, 78, 79}) EXPECT_FALSE(below_kafka4(api(key), 0)) << key;
}

}  // namespace
}  // namespace kparse
