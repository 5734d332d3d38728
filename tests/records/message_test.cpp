// SPDX-License-Identifier: MIT
// Magic 0 and 1. Wrapper rules: Kafka's AbstractLegacyRecordBatch.DeepRecordsIterator.
#include <gtest/gtest.h>
#include <snappy.h>

#include "support.h"

namespace kparse::test {
namespace {

constexpr int gzip = 1, snappy_codec = 2;

std::vector<std::int64_t> offsets(const Keeper& k) {
  std::vector<std::int64_t> out;
  for (const KeptBatch& b : k.batches) {
    for (const KeptRecord& r : b.records) out.push_back(r.record.offset);
  }
  return out;
}

using Offsets = std::vector<std::int64_t>;

Blob wrapper(int magic, std::int64_t offset, Bytes inner, int codec = snappy_codec, int more = 0,
             std::int64_t time = 900) {
  std::string packed;
  snappy::Compress(reinterpret_cast<const char*>(inner.data()), inner.size(), &packed);
  return make_message(magic, offset, codec | more, time, {}, view(packed));
}

Blob inner(int magic, Offsets at) {
  Blob set;
  for (const std::int64_t o : at) append(set, make_message(magic, o, 0, 100 + o, {}, view("v")));
  return set;
}

TEST(Message, PlainOnes) {
  const Keeper v0 =
      read_all(from_hex("00 00 00 00 00 00 00 07 00 00 00 10 fd 6e bd db 00 00 ff ff ff ff 00 00 00 02 68 69"));
  ASSERT_EQ(offsets(v0), Offsets{7});
  EXPECT_TRUE(v0.batches[0].batch.crc_valid);
  EXPECT_EQ(v0.batches[0].batch.timestamp_type, TimestampType::NoTimestampType);
  EXPECT_EQ(v0.batches[0].records[0].value, from_hex("6869"));
  const Keeper v1 = read_all(from_hex(
      "00 00 00 00 00 00 00 07 00 00 00 18 af 24 40 9a 01 00 00 00 01 57 7d 8a 54 00 ff ff ff ff 00 00 00 02 68 69"));
  ASSERT_EQ(offsets(v1), Offsets{7});
  EXPECT_EQ(v1.batches[0].records[0].record.timestamp, 1475280000000);
}

constexpr const char* v1_wrap =
    "00 00 00 00 00 00 00 0c 00 00 00 60 18 6f de d2 01 02 00 00 01 57 7d 8a 54 05 ff ff ff ff 00 00 00 4a 69 00 00 19 "
    "01 48 17 73"
    "c0 4d 81 01 00 00 00 01 57 7d 8a 54 00 ff ff ff ff 01 0d 00 61 0d 22 01 1a 10 17 0c e0 d7 7f 01 09 05 23 00 05 11 "
    "23 00 62 0d"
    "23 20 02 00 00 00 17 76 f9 97 ae 15 23 24 03 ff ff ff ff 00 00 00 01 63";
constexpr const char* v1_wrap_lat =
    "00 00 00 00 00 00 00 0c 00 00 00 60 5a e7 d9 19 01 0a 00 00 01 5d 3e f7 98 00 ff ff ff ff 00 00 00 4a 69 00 00 19 "
    "01 48 17 73"
    "c0 4d 81 01 00 00 00 01 57 7d 8a 54 00 ff ff ff ff 01 0d 00 61 0d 22 01 1a 10 17 0c e0 d7 7f 01 09 05 23 00 05 11 "
    "23 00 62 0d"
    "23 20 02 00 00 00 17 76 f9 97 ae 15 23 24 03 ff ff ff ff 00 00 00 01 63";
constexpr const char* v0_wrap_lz4 =
    "00 00 00 00 00 00 00 0b 00 00 00 50 fa 69 ee be 00 03 ff ff ff ff 00 00 00 42 04 22 4d 18 60 40 1a 33 00 00 00 12 "
    "00 01 00 f2"
    "05 0a 00 00 00 0f 51 df 3a 32 00 00 ff ff ff ff 00 00 00 01 61 1a 00 f0 06 00 0b 00 00 00 0f c8 d6 6b 88 00 00 ff "
    "ff ff ff 00"
    "00 00 01 62 00 00 00 00";

TEST(Message, TheWrappersOfTheFormatDescription) {
  const Keeper v1 = read_all(from_hex(v1_wrap));
  EXPECT_EQ(offsets(v1), (Offsets{10, 11, 12}));
  EXPECT_EQ(v1.batches[0].batch.count, 3);
  EXPECT_EQ(v1.batches[0].records[0].record.timestamp, 1475280000000);
  EXPECT_EQ(v1.batches[0].records[2].record.timestamp, 1475280000003);
  EXPECT_FALSE(v1.batches[0].batch.xerial);

  const Keeper lat = read_all(from_hex(v1_wrap_lat));
  EXPECT_EQ(offsets(lat), (Offsets{10, 11, 12}));
  for (const KeptRecord& r : lat.batches[0].records) EXPECT_EQ(r.record.timestamp, 1500000000000);

  const Keeper v0 = read_all(from_hex(v0_wrap_lz4));
  EXPECT_EQ(offsets(v0), (Offsets{10, 11}));
  EXPECT_TRUE(v0.batches[0].batch.lz4_wrong_header_checksum);
  EXPECT_EQ(v0.batches[0].records[1].record.timestamp, -1);
}

TEST(Message, OffsetsInsideCountFromTheWrapper) {
  EXPECT_EQ(offsets(read_all(wrapper(1, 1003, inner(1, {0, 3})))), (Offsets{1000, 1003}));  // a gap by compaction
  EXPECT_EQ(offsets(read_all(wrapper(1, 0, inner(1, {0, 1, 2})))), (Offsets{0, 1, 2}));     // as some producers send it
  EXPECT_EQ(offsets(read_all(wrapper(1, 1003, inner(1, {1000, 1003})))), (Offsets{1000, 1003}));
  EXPECT_EQ(offsets(read_all(wrapper(1, 0, inner(1, {0, 0, 0})))), (Offsets{0, 0, 0}));  // kafka-node
  EXPECT_EQ(offsets(read_all(wrapper(1, -1, inner(1, {-1, -1})))), (Offsets{-1, -1}));   // pykafka
  EXPECT_EQ(offsets(read_all(wrapper(0, 12, inner(0, {10, 12})))), (Offsets{10, 12}));   // magic 0: absolute
  EXPECT_EQ(offsets(read_all(wrapper(0, 12, inner(0, {0, 1, 2})))), (Offsets{0, 1, 2}));
  const Keeper below = read_all(wrapper(1, 1, inner(1, {0, 1, 2})));
  EXPECT_EQ(below.batches[0].error.code, Code::badValue);
  EXPECT_TRUE(below.batches[0].records.empty());
}

TEST(Message, InnerMagicMayDiffer) {
  const Keeper one_in_zero = read_all(wrapper(0, 5, inner(1, {5})));
  ASSERT_EQ(one_in_zero.batches[0].records.size(), 1u);
  EXPECT_EQ(one_in_zero.batches[0].records[0].record.timestamp, 105);
  const Keeper zero_in_one = read_all(wrapper(1, 5, inner(0, {0}), snappy_codec, 8));
  ASSERT_EQ(zero_in_one.batches[0].records.size(), 1u);
  EXPECT_EQ(zero_in_one.batches[0].records[0].record.timestamp, -1);
  EXPECT_EQ(read_all(wrapper(1, 5, from_hex("0000000000000000 0000000e 00000000 02 00 ffffffff ffffffff")))
                .batches[0]
                .error.code,
            Code::unknownMagic);
}

TEST(Message, InnerCrcIsCheckedOnItsOwn) {
  Blob set = inner(1, {0, 1});
  set.back() ^= 1;
  const Keeper ours = read_all(wrapper(1, 1, set));
  EXPECT_TRUE(ours.batches[0].batch.crc_valid);
  EXPECT_EQ(ours.batches[0].batch.inner_crc_bad, 1);
  EXPECT_EQ(ours.batches[0].records.size(), 2u);
  EXPECT_EQ(read_all(wrapper(1, 1, set), {.verify_crc = false}).batches[0].batch.inner_crc_bad, 0);
}

TEST(Message, WhatNoWrapperMayHold) {
  EXPECT_EQ(read_all(wrapper(1, 5, {})).batches[0].error.code, Code::badCount);
  EXPECT_EQ(read_all(make_message(1, 5, gzip, 0, {}, {})).batches[0].error.code, Code::badValue);         // null
  EXPECT_EQ(read_all(make_message(1, 5, gzip, 0, {}, view(""))).batches[0].error.code, Code::truncated);  // nothing
  EXPECT_EQ(read_all(wrapper(1, 5, inner(1, {0}), 4)).batches[0].error.code, Code::unknownCodec);         // zstd
  Blob nested = inner(0, {3});
  append(nested, wrapper(0, 4, inner(0, {4})));
  const Keeper twice = read_all(wrapper(0, 4, nested));
  EXPECT_EQ(twice.batches[0].error.code, Code::badValue);
  EXPECT_EQ(offsets(twice), Offsets{3});
}

TEST(Message, ABrokenInnerSetIsSaid) {
  Blob cut = inner(0, {1, 2, 3});
  cut.pop_back();
  const Keeper ours = read_all(wrapper(0, 3, cut));
  EXPECT_EQ(offsets(ours), (Offsets{1, 2}));
  EXPECT_EQ(ours.batches[0].error.code, Code::truncated);
  Blob small = inner(0, {1, 2});
  small[27 + 11] = 13;  // the second one's size
  const Keeper bad = read_all(wrapper(0, 3, small));
  EXPECT_EQ(offsets(bad), Offsets{1});
  EXPECT_EQ(bad.batches[0].error.code, Code::badLength);
  EXPECT_EQ(bad.batches[0].error.offset, 27u + 8);
  Blob small1 = inner(1, {0, 1});
  small1[35 + 11] = 13;
  EXPECT_TRUE(offsets(read_all(wrapper(1, 9, small1))).empty());  // without the last one no offset is known
}

TEST(Message, SurplusIsSaidAfterTheRecord) {
  Blob set = make_message(0, 5, 0, 0, view("k"), view("v"));
  set[set.size() - 2] = 0;  // value length 0, one byte more
  const Keeper ours = read_all(set);
  ASSERT_EQ(ours.batches[0].records.size(), 1u);
  EXPECT_EQ(ours.batches[0].records[0].value, Blob());
  EXPECT_EQ(ours.batches[0].error.code, Code::surplus);
  EXPECT_FALSE(ours.batches[0].batch.crc_valid);
}

TEST(Message, AllFormatsInOneSet) {
  Blob set = make_message(0, 1, 0, 0, {}, view("old"));
  append(set, wrapper(1, 3, inner(1, {0, 1})));
  append(set, BatchMaker{.base_offset = 4}.make(make_record(0, 0, "new")));
  append(set, make_message(1, 5, 8, 77, {}, {}));
  const Keeper ours = read_all(set);
  EXPECT_FALSE(ours.complaint());
  EXPECT_EQ(offsets(ours), (Offsets{1, 2, 3, 4, 5}));
  EXPECT_EQ(ours.batches[3].records[0].value, std::nullopt);
  EXPECT_EQ(ours.batches[3].batch.timestamp_type, TimestampType::LogAppendTime);
}

}  // namespace
}  // namespace kparse::test
