// SPDX-License-Identifier: MIT
// Hostile bytes: every prefix, many flips, limits. Worth most under the sanitizers.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <memory>
#include <random>

#include "kparse/crc.h"
#include "support.h"

namespace kparse::test {
namespace {

/// Record sets that Kafka wrote: some of each magic and codec.
std::vector<Blob> good_sets() {
  std::vector<Blob> out;
  std::vector<int> taken(16, 0);
  for (const std::string& line : lines_of(data_file("records.jsonl"))) {
    rapidjson::Document row;
    row.Parse(line.c_str());
    const auto batches = row["batches"].GetArray();
    if (std::string_view(row["outcome"].GetString()) != "ok" || batches.Empty()) continue;
    const Blob set = from_hex(row["hex"].GetString());
    int& n =
        taken[static_cast<std::size_t>(batches[0]["magic"].GetInt() * 5 + (batches[0]["attributes"].GetInt() & 7)) &
              15];
    if (++n <= 3) out.push_back(set);
  }
  return out;
}

/// Reads from a block of exactly that size, so that a sanitizer sees the first byte too many.
Keeper read_exactly(Bytes set) {
  const auto block = std::make_unique<std::uint8_t[]>(set.size());
  std::copy(set.begin(), set.end(), block.get());
  return read_all({block.get(), set.size()});
}

TEST(Damage, EveryPrefix) {
  const auto sets = good_sets();
  ASSERT_GT(sets.size(), 20u);
  for (const Blob& set : sets) {
    const Keeper whole = read_exactly(set);
    for (std::size_t n = 0; n < set.size(); ++n) {
      const Keeper ours = read_exactly(Bytes(set).first(n));
      EXPECT_FALSE(ours.complaint() && !whole.complaint());  // a set cut short is no error, the batch is left
      std::uint64_t read = 0;
      for (const KeptBatch& b : ours.batches) read += 12 + static_cast<std::uint64_t>(b.batch.batch_length);
      EXPECT_EQ(read + (ours.left ? ours.left->first : 0), n);
      ASSERT_LE(ours.batches.size(), whole.batches.size());
    }
  }
}

TEST(Damage, FlippedBytes) {
  std::mt19937 random(20240607);
  std::size_t wrong = 0;
  for (const Blob& set : good_sets()) {
    for (int i = 0; i < 400; ++i) {
      Blob bad = set;
      const int flips = 1 + static_cast<int>(random() % 4);
      for (int k = 0; k < flips; ++k) bad[random() % bad.size()] ^= static_cast<std::uint8_t>(1u << random() % 8);
      const Keeper ours = read_exactly(bad);
      if (ours.complaint() || ours.crc_bad() || ours.left) ++wrong;
    }
  }
  EXPECT_GT(wrong, 1000u);
}

/// With CRCs made right again the damage gets as far as the codecs and the records.
TEST(Damage, FlippedBytesUnderARightCrc) {
  std::mt19937 random(7);
  for (const Blob& set : good_sets()) {
    for (int i = 0; i < 400; ++i) {
      Blob bad = set;
      const std::size_t from = bad[16] == 2 ? 21 : 18;
      const auto length = std::min<std::size_t>(bad.size(), 12 + load_be<std::uint32_t>(bad.data() + 8));
      for (int k = 0; k < 2; ++k)
        bad[from + random() % (length - from)] ^= static_cast<std::uint8_t>(1u << random() % 8);
      Blob crc;
      const Bytes entry = Bytes(bad).first(length);
      put(crc, bad[16] == 2 ? crc32c(entry.subspan(21)) : crc32(entry.subspan(16)), 4);
      std::copy(crc.begin(), crc.end(), bad.begin() + (bad[16] == 2 ? 17 : 12));
      const Keeper ours = read_exactly(bad);
      ASSERT_FALSE(ours.batches.empty());
      EXPECT_TRUE(ours.batches[0].batch.draft || !ours.batches[0].batch.readable || ours.batches[0].batch.crc_valid);
    }
  }
}

TEST(Damage, Noise) {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    Blob noise(random() % 200);
    for (auto& b : noise) b = static_cast<std::uint8_t>(random());
    if (noise.size() > 16) {
      noise[16] = static_cast<std::uint8_t>(random() % 4);
      std::fill_n(noise.begin() + 8, 3, 0);
      noise[11] = static_cast<std::uint8_t>(noise.size() - 12);
    }
    (void)read_exactly(noise);
  }
}

// 3-byte blocks that stand for 128 KB of zeros each: the densest there is.
Blob zstd_bomb(std::size_t blocks) {
  Blob out = from_hex("28b52ffd 00 58");  // window 2 MB, no size
  for (std::size_t i = 0; i < blocks; ++i)
    append(out, i + 1 < blocks ? from_hex("02 00 10 00") : from_hex("03 00 10 00"));
  return out;
}

TEST(Damage, PastTheLimitsTheNextBatchIsRead) {
  Blob set = BatchMaker{.attributes = 4, .count = 1000}.make(zstd_bomb(2500));  // 10 KB for 320 MB
  append(set, BatchMaker{.base_offset = 1000}.make(make_record(0, 0, "next")));
  const Keeper dense = read_all(set);
  ASSERT_EQ(dense.batches.size(), 2u);
  EXPECT_EQ(dense.batches[0].error.code, Code::tooDense);
  EXPECT_EQ(dense.batches[0].error.need, 2000u);
  EXPECT_TRUE(dense.batches[0].records.empty());
  EXPECT_EQ(dense.batches[1].records.size(), 1u);
  const Keeper large = read_all(set, {.max_batch = 1u << 20});
  EXPECT_EQ(large.batches[0].error.code, Code::tooLarge);
  EXPECT_EQ(large.batches[0].error.need, 1u << 20);
  EXPECT_EQ(large.batches[1].records.size(), 1u);
}

}  // namespace
}  // namespace kparse::test
