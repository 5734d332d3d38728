// SPDX-License-Identifier: MIT
#include "report/bounded_table.h"

#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace kparse::report {
namespace {

struct Count {
  std::uint64_t n = 0;
  [[nodiscard]] std::uint64_t weight() const noexcept { return n; }
  void merge(Count&& o) { n += o.n; }
};
using Table = BoundedTable<Count>;

void feed(Table& t, const std::string& key) {
  if (Table::Slot* slot = t.find_or_add(key)) ++slot->row.n;
}

std::map<std::string, std::uint64_t> rows(const Table& t) {
  std::map<std::string, std::uint64_t> out;
  for (const Table::Slot* slot : t.sorted()) out[slot->key] = slot->row.n;
  return out;
}

std::vector<std::string> traffic() {
  std::mt19937 random(7);
  std::vector<std::string> keys;
  for (int i = 0; i < 5000; ++i) keys.push_back("topic-" + std::to_string(random() % 300));
  return keys;
}

TEST(BoundedTable, KeepsAllWhileThereIsRoom) {
  Table t("topics", 1000);
  std::map<std::string, std::uint64_t> truth;
  for (const std::string& key : traffic()) {
    feed(t, key);
    ++truth[key];
  }
  EXPECT_EQ(rows(t), truth);
  EXPECT_EQ(t.full().left_out, 0u);
}

TEST(BoundedTable, CountsWhatItLeavesOutAndKeepsWholeRows) {
  Table t("topics", 50);
  std::map<std::string, std::uint64_t> truth;
  for (const std::string& key : traffic()) {
    feed(t, key);
    ++truth[key];
  }
  ASSERT_EQ(t.size(), 50u);
  std::uint64_t kept = 0;
  for (const auto& [key, n] : rows(t)) {
    EXPECT_EQ(n, truth[key]) << key;
    kept += n;
  }
  EXPECT_EQ(kept + t.full().left_out, 5000u);
  EXPECT_EQ(t.full().limit, 50u);
}

TEST(BoundedTable, WhatStaysDependsNeitherOnOrderNorOnThreads) {
  const std::vector<std::string> keys = traffic();
  Table forward("topics", 50), backward("topics", 50), a("topics", 50), b("topics", 50), c("topics", 50);
  for (const std::string& key : keys) feed(forward, key);
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) feed(backward, *key);
  for (std::size_t i = 0; i < keys.size(); ++i) feed(i % 7 == 0 ? a : i < 2000 ? b : c, keys[i]);
  c.merge(std::move(a));
  c.merge(std::move(b));
  EXPECT_EQ(rows(forward), rows(backward));
  EXPECT_EQ(rows(forward), rows(c));
  EXPECT_EQ(forward.full().left_out, c.full().left_out);
  EXPECT_EQ(forward.full().left_out, backward.full().left_out);
}

TEST(BoundedTable, ASlotGivenAwayHasAnotherUid) {
  Table t("one", 1);
  std::map<std::uint64_t, std::string> owners;
  for (int i = 0; i < 200; ++i) {
    const std::string key = std::to_string(i);
    if (Table::Slot* slot = t.find_or_add(key)) {
      EXPECT_TRUE(owners.emplace(slot->uid, key).second);
      EXPECT_EQ(slot->row.n, 0u);
      ++slot->row.n;
    }
  }
  EXPECT_GT(owners.size(), 1u);
  EXPECT_EQ(t.size(), 1u);
}

TEST(BoundedTable, HugeKeysAreLeftOut) {
  Table t("names", 10);
  EXPECT_EQ(t.find_or_add(std::string(Table::max_key + 1, 'x')), nullptr);
  EXPECT_NE(t.find_or_add(std::string(Table::max_key, 'x')), nullptr);
  EXPECT_EQ(t.full().left_out, 0u) << "there is room";
  EXPECT_EQ(t.long_keys().left_out, 1u);
  EXPECT_EQ(t.long_keys().limit, Table::max_key);
  Table other("names", 10);
  EXPECT_EQ(other.find_or_add(std::string(Table::max_key + 2, 'x'), 3), nullptr);
  t.merge(std::move(other));
  EXPECT_EQ(t.long_keys().left_out, 4u);
}

}  // namespace
}  // namespace kparse::report
