// SPDX-License-Identifier: MIT
#include "kparse/cluster.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace kparse {
namespace {

using Id = std::array<std::uint8_t, 16>;

Id id_of(std::uint32_t n) {
  Id id{};
  for (int i = 0; i < 4; ++i) id[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(n >> (8 * i));
  id[15] = 0x80;
  return id;
}

TEST(Cluster, AnIdKeepsItsFirstName) {
  Cluster cluster;
  EXPECT_TRUE(cluster.learn_topic(id_of(7).data(), "orders"));
  EXPECT_FALSE(cluster.learn_topic(id_of(7).data(), "invoices"));
  EXPECT_EQ(cluster.topic_name(id_of(7).data()), "orders");
  EXPECT_EQ(cluster.topic_name(id_of(8).data()), "");
  EXPECT_EQ(cluster.left_out(), 0u);
}

TEST(Cluster, ATopicMadeAgainHasTwoIds) {
  Cluster cluster;
  cluster.learn_topic(id_of(1).data(), "orders");
  cluster.learn_topic(id_of(2).data(), "orders");
  EXPECT_EQ(cluster.topic_name(id_of(1).data()), "orders");
  EXPECT_EQ(cluster.topic_name(id_of(2).data()), "orders");
}

TEST(Cluster, NothingIsPairedWithTheZeroIdOrTheEmptyName) {
  Cluster cluster;
  const Id zero{};
  EXPECT_FALSE(cluster.learn_topic(zero.data(), "orders"));
  EXPECT_FALSE(cluster.learn_topic(id_of(1).data(), ""));
  EXPECT_EQ(cluster.topic_name(zero.data()), "");
  EXPECT_EQ(cluster.topic_name(nullptr), "");
}

TEST(Cluster, KnowsTheMetadataTopic) {
  Cluster cluster;
  Id id{};
  id[15] = 1;
  EXPECT_EQ(cluster.topic_name(id.data()), "__cluster_metadata");
}

TEST(Cluster, IsBoundedAndSaysSo) {
  Cluster cluster(3);  // the metadata topic is one of them
  EXPECT_TRUE(cluster.learn_topic(id_of(1).data(), "a"));
  EXPECT_TRUE(cluster.learn_topic(id_of(2).data(), "b"));
  EXPECT_FALSE(cluster.learn_topic(id_of(3).data(), "c"));
  EXPECT_EQ(cluster.left_out(), 1u);
  EXPECT_EQ(cluster.topic_name(id_of(2).data()), "b");
  EXPECT_EQ(cluster.topic_name(id_of(3).data()), "");
}

TEST(Cluster, NamesStayWhereTheyAre) {
  Cluster cluster;
  cluster.learn_topic(id_of(0).data(), "first");
  const std::string_view first = cluster.topic_name(id_of(0).data());
  for (std::uint32_t i = 1; i < 10000; ++i) cluster.learn_topic(id_of(i).data(), "t" + std::to_string(i));
  EXPECT_EQ(first, "first");
  EXPECT_EQ(cluster.topic_name(id_of(0).data()).data(), first.data());
}

TEST(Cluster, ABrokerMayMove) {
  Cluster cluster;
  EXPECT_EQ(cluster.broker(1), nullptr);
  cluster.learn_broker(1, "a", 9092);
  cluster.learn_broker(1, "b", 9093);
  cluster.learn_broker(2, "", -1);
  ASSERT_NE(cluster.broker(1), nullptr);
  EXPECT_EQ(cluster.broker(1)->host, "b");
  EXPECT_EQ(cluster.broker(1)->port, 9093);
  EXPECT_EQ(cluster.broker(2), nullptr);
}

}  // namespace
}  // namespace kparse
