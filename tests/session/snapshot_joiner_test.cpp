// SPDX-License-Identifier: MIT
#include "session/snapshot_joiner.h"

#include <gtest/gtest.h>

#include "build.h"

namespace kparse {
namespace {

using test::batch;
using Run = std::pair<std::uint64_t, std::vector<std::uint8_t>>;

struct Joined {
  SnapshotJoiner joiner;
  std::vector<Run> runs;

  std::uint64_t add(std::int64_t position, Bytes bytes, std::int64_t end_offset = 10) {
    SnapshotSlice s;
    s.topic = "__cluster_metadata";
    s.partition = 0;
    s.end_offset = end_offset;
    s.epoch = 3;
    s.position = position;
    s.bytes = bytes;
    return joiner.add(s, [&](std::uint64_t at, Bytes b) { runs.emplace_back(at, std::vector<std::uint8_t>(b.begin(), b.end())); });
  }
  std::vector<std::uint8_t> all() const {
    std::vector<std::uint8_t> out;
    std::uint64_t at = 0;
    for (const Run& r : runs) {
      EXPECT_EQ(r.first, at);
      out.insert(out.end(), r.second.begin(), r.second.end());
      at += r.second.size();
    }
    return out;
  }
};

std::vector<std::uint8_t> three_batches() {
  std::vector<std::uint8_t> file = batch(0, {"a", "b"});
  for (const auto& b : {batch(2, {"ccc"}), batch(3, {std::string(300, 'd')})}) file.insert(file.end(), b.begin(), b.end());
  return file;
}

TEST(SnapshotJoiner, EveryCutGivesTheSameBatches) {
  const auto file = three_batches();
  for (std::size_t cut = 0; cut <= file.size(); ++cut) {
    Joined j;
    EXPECT_EQ(j.add(0, Bytes(file).first(cut)), 0u);
    if (cut > 0) EXPECT_EQ(j.add(static_cast<std::int64_t>(cut), Bytes(file).subspan(cut)), 0u);
    else EXPECT_EQ(j.add(0, file), 0u);
    EXPECT_EQ(j.all(), file) << cut;
  }
}

TEST(SnapshotJoiner, ByteByByte) {
  const auto file = three_batches();
  Joined j;
  for (std::size_t i = 0; i < file.size(); ++i) EXPECT_EQ(j.add(static_cast<std::int64_t>(i), Bytes(file).subspan(i, 1)), 0u);
  EXPECT_EQ(j.all(), file);
}

TEST(SnapshotJoiner, WhatFollowsAHoleIsNotRead) {
  const auto file = three_batches();
  Joined j;
  EXPECT_EQ(j.add(0, Bytes(file).first(20)), 0u);
  EXPECT_EQ(j.add(30, Bytes(file).subspan(30, 50)), 50u);
  EXPECT_EQ(j.add(80, Bytes(file).subspan(80)), file.size() - 80);
  EXPECT_TRUE(j.runs.empty());
}

TEST(SnapshotJoiner, AnotherSnapshotBeginsAtItsStart) {
  const auto file = three_batches();
  Joined j;
  EXPECT_EQ(j.add(0, Bytes(file).first(20)), 0u);
  EXPECT_EQ(j.add(20, Bytes(file).subspan(20), 11), file.size() - 20);  // of another id
  EXPECT_EQ(j.add(0, file, 11), 0u);
  EXPECT_EQ(j.all(), file);
}

TEST(SnapshotJoiner, AnAbsurdLengthEndsIt) {
  auto file = three_batches();
  file[8] = 0x7f;  // 2 GiB
  Joined j;
  EXPECT_EQ(j.add(0, file), file.size());
  EXPECT_EQ(j.add(static_cast<std::int64_t>(file.size()), file), file.size());
  file[8] = 0xff;  // negative
  Joined k;
  EXPECT_EQ(k.add(0, file), file.size());
  EXPECT_TRUE(j.runs.empty() && k.runs.empty());
}

}  // namespace
}  // namespace kparse
