// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "kparse/crc.h"
#include "support.h"

namespace kparse::test {
namespace {

Blob two_records() {
  Blob out = make_record(0, 0, "a");
  append(out, make_record(7, 1, "b"));
  return out;
}

TEST(Batch, TheExampleOfTheFormatDescription) {
  const Blob set = from_hex(
      "00 00 00 00 00 00 00 2a 00 00 00 4d ff ff ff ff 02 5b c6 cc 26 00 00 00 00 00 01 00 00 01 57 7d 8a 54 00 00 00 "
      "01 57 7d"
      "8a 54 05 ff ff ff ff ff ff ff ff ff ff ff ff ff ff 00 00 00 02 28 00 00 00 04 6b 31 04 76 31 06 02 61 02 31 02 "
      "61 01 02"
      "62 00 0c 00 0a 02 01 01 00");
  const Keeper ours = read_all(set);
  ASSERT_EQ(ours.batches.size(), 1u);
  const KeptBatch& b = ours.batches[0];
  EXPECT_FALSE(b.error);
  EXPECT_TRUE(b.batch.crc_checked && b.batch.crc_valid && b.batch.readable);
  EXPECT_EQ(b.batch.base_offset, 42);
  EXPECT_EQ(b.batch.max_timestamp, 1475280000005);
  ASSERT_EQ(b.records.size(), 2u);
  EXPECT_EQ(b.records[0].key, from_hex("6b31"));
  ASSERT_EQ(b.records[0].headers.size(), 3u);
  EXPECT_EQ(b.records[0].headers[0], std::pair(std::string("a"), std::optional(from_hex("31"))));
  EXPECT_EQ(b.records[0].headers[1], std::pair(std::string("a"), std::optional<Blob>()));
  EXPECT_EQ(b.records[0].headers[2], std::pair(std::string("b"), std::optional(Blob())));
  EXPECT_EQ(b.records[1].record.offset, 43);
  EXPECT_EQ(b.records[1].record.timestamp, 1475280000005);
  EXPECT_EQ(b.records[1].key, std::nullopt);
  EXPECT_FALSE(ours.left);
}

TEST(Batch, LogAppendTimeIsTheLargestForAll) {
  const Blob set =
      BatchMaker{.attributes = 8, .base_timestamp = 100, .max_timestamp = 900, .count = 2}.make(two_records());
  const Keeper ours = read_all(set);
  ASSERT_EQ(ours.batches[0].records.size(), 2u);
  EXPECT_EQ(ours.batches[0].batch.timestamp_type, TimestampType::LogAppendTime);
  EXPECT_EQ(ours.batches[0].records[1].record.timestamp, 900);
}

TEST(Batch, DeleteHorizonIsTheBaseOfTimestamps) {
  const Blob set = BatchMaker{.attributes = 0x40, .base_timestamp = 5000, .max_timestamp = 100, .count = 1}.make(
      make_record(-4900, 3, "x"));
  const Keeper ours = read_all(set);
  EXPECT_TRUE(ours.batches[0].batch.has_delete_horizon);
  EXPECT_EQ(ours.batches[0].records.at(0).record.timestamp, 100);
  EXPECT_EQ(ours.batches[0].records.at(0).record.offset, 3);
}

TEST(Batch, SequenceWrapsToZero) {
  const Blob set =
      BatchMaker{.producer_id = 1, .producer_epoch = 0, .base_sequence = 2147483647, .count = 2}.make(two_records());
  const Keeper ours = read_all(set);
  EXPECT_EQ(ours.batches[0].records.at(0).record.sequence, 2147483647);
  EXPECT_EQ(ours.batches[0].records.at(1).record.sequence, 0);
}

TEST(Batch, ControlRecordsTellTheirType) {
  Blob body = from_hex("00 00 00 08 00 00 00 01 0c 00 00 00 00 00 05 00");  // version 0, type 1; value of a marker
  Blob record;
  put_varint(record, static_cast<std::int64_t>(body.size()));
  append(record, body);
  const Keeper ours = read_all(BatchMaker{.attributes = 0x30, .count = 1}.make(record));
  ASSERT_EQ(ours.batches[0].records.size(), 1u);
  EXPECT_TRUE(ours.batches[0].batch.control && ours.batches[0].batch.transactional);
  EXPECT_EQ(control_type_name(ours.batches[0].records[0].record.control_type), "COMMIT");
  EXPECT_EQ(control_type_name(6), "KRaftVoters");
  EXPECT_EQ(control_type_name(7), "UNKNOWN");
  EXPECT_EQ(control_type_name(-1), "UNKNOWN");
}

TEST(Batch, EmptiedByCompactionIsNotOpened) {
  const Keeper ours = read_all(BatchMaker{.attributes = 4, .last_offset_delta = 11, .count = 0}.make({}));
  ASSERT_EQ(ours.batches.size(), 1u);
  EXPECT_FALSE(ours.batches[0].error);
  EXPECT_EQ(ours.batches[0].batch.codec, Codec::zstd);
  EXPECT_EQ(ours.batches[0].batch.last_offset_delta, 11);
}

TEST(Batch, WrongCrcIsSaidAndTheRecordsAreGiven) {
  Blob set = BatchMaker{.count = 2}.make(two_records());
  set[35] ^= 1;  // the largest timestamp
  const Keeper ours = read_all(set);
  EXPECT_TRUE(ours.batches[0].batch.crc_checked);
  EXPECT_FALSE(ours.batches[0].batch.crc_valid);
  EXPECT_FALSE(ours.batches[0].error);
  EXPECT_EQ(ours.batches[0].records.size(), 2u);
  const Keeper unchecked = read_all(set, {.verify_crc = false});
  EXPECT_FALSE(unchecked.batches[0].batch.crc_checked);
}

TEST(Batch, RecordsBeforeTheBadOneStay) {
  Blob payload = make_record(0, 0, "good");
  append(payload, from_hex("0c 00 00 02 01 14 61"));  // its value is longer than the record
  const std::uint64_t bad_at = payload.size() - 7;
  Blob set = BatchMaker{.count = 2}.make(payload);
  append(set, BatchMaker{.base_offset = 9, .count = 1}.make(make_record(0, 0, "next")));
  const Keeper ours = read_all(set);
  ASSERT_EQ(ours.batches.size(), 2u);
  EXPECT_EQ(ours.batches[0].records.size(), 1u);
  EXPECT_EQ(ours.batches[0].error.code, Code::truncated);
  EXPECT_EQ(ours.batches[0].error.limit, Limit::record);
  EXPECT_EQ(ours.batches[0].error.offset, 61 + bad_at + 6);
  EXPECT_EQ(ours.batches[0].error.need, 10u);
  EXPECT_EQ(ours.batches[0].error.have, 1u);
  EXPECT_EQ(ours.batches[1].records.size(), 1u);
}

TEST(Batch, BytesLeftAreAnError) {
  const Keeper batch = read_all(BatchMaker{.count = 1}.make(two_records()));
  EXPECT_EQ(batch.batches[0].error.code, Code::surplus);
  EXPECT_EQ(batch.batches[0].error.limit, Limit::batch);
  EXPECT_EQ(batch.batches[0].records.size(), 1u);
  Blob record = make_record(0, 0, "x");
  record[0] += 2;
  record.push_back(0);
  const Keeper inner = read_all(BatchMaker{.count = 1}.make(record));
  EXPECT_EQ(inner.batches[0].error.code, Code::surplus);
  EXPECT_EQ(inner.batches[0].error.limit, Limit::record);
  EXPECT_TRUE(inner.batches[0].records.empty());
}

TEST(Batch, UnknownCodecAndMagic) {
  Blob set = BatchMaker{.attributes = 6}.make(make_record(0, 0, "x"));
  const std::size_t size = set.size();
  append(set, set);
  set[size + 16] = 3;
  append(set, BatchMaker{}.make(make_record(0, 0, "x")));
  const Keeper ours = read_all(set);
  ASSERT_EQ(ours.batches.size(), 3u);
  EXPECT_EQ(ours.batches[0].error.code, Code::unknownCodec);
  EXPECT_EQ(ours.batches[0].error.have, 6u);
  EXPECT_EQ(ours.batches[1].error.code, Code::unknownMagic);
  EXPECT_FALSE(ours.batches[1].batch.readable);
  EXPECT_EQ(ours.batches[2].records.size(), 1u);
}

// KIP-82 drafts were magic 2 as well; examples with key k1, value v1 by the drafts' own text.
TEST(Batch, DraftMessagesAreToldApart) {
  for (const char* hex : {"00 00 00 00 00 00 00 2a 00 00 00 11 eb b9 23 d7 02 20 00 00 01 57 7d 8a 54 00 02 76 31",
                          "00 00 00 00 00 00 00 2a 00 00 00 1d f6 36 f8 f2 02 10 00 00 01 57 7d 8a 54 00 02 6b 31 08 "
                          "01 01 05 63 6c 69 2d 37 02 76 31"}) {
    for (const bool verify : {true, false}) {
      const Keeper ours = read_all(from_hex(hex), {.verify_crc = verify});
      ASSERT_EQ(ours.batches.size(), 1u);
      EXPECT_TRUE(ours.batches[0].batch.draft);
      EXPECT_EQ(ours.batches[0].error.code, Code::unknownMagic);
      EXPECT_EQ(ours.batches[0].error.have, 2u);
      EXPECT_TRUE(ours.batches[0].records.empty());
    }
  }
}

TEST(Batch, PartialAtTheEnd) {
  const Blob whole = BatchMaker{.count = 2}.make(two_records());
  for (std::size_t cut = 1; cut < whole.size(); ++cut) {
    Blob set = whole;
    append(set, Bytes(whole).first(cut));
    const Keeper ours = read_all(set);
    EXPECT_EQ(ours.batches.size(), 1u);
    ASSERT_TRUE(ours.left);
    EXPECT_EQ(ours.left->first, cut);
    EXPECT_EQ(ours.left->second, cut < 12 ? 0 : whole.size());
  }
}

// What LazyDownConversionRecordsSend fills up with: offset -1, one byte more than there are, zeros.
TEST(Batch, OverflowStubIsPartial) {
  Blob set = BatchMaker{.count = 2}.make(two_records());
  Blob stub(80, 0);
  std::fill_n(stub.begin(), 8, 0xff);
  stub[11] = 69;
  append(set, stub);
  const Keeper ours = read_all(set);
  EXPECT_EQ(ours.batches.size(), 1u);
  EXPECT_FALSE(ours.complaint());
  ASSERT_TRUE(ours.left);
  EXPECT_EQ(*ours.left, std::pair(std::uint64_t{80}, std::uint64_t{81}));
}

struct Choosy : Keeper {
  bool begin_batch(const Batch& b) noexcept {
    Keeper::begin_batch(b);
    return b.base_offset != 0;
  }
};

TEST(Batch, HeadersAloneAndSkippedOnes) {
  Blob set = BatchMaker{.count = 2}.make(two_records());
  append(set, BatchMaker{.base_offset = 2, .count = 2}.make(two_records()));
  const Keeper closed = read_all(set, {.open = false});
  ASSERT_EQ(closed.batches.size(), 2u);
  EXPECT_EQ(closed.batches[1].batch.position, set.size() / 2);
  EXPECT_TRUE(closed.batches[0].records.empty() && closed.batches[1].records.empty());
  Choosy choosy;
  Scratch scratch;
  read_records(set, {}, scratch, choosy);
  EXPECT_TRUE(choosy.batches[0].records.empty());
  EXPECT_EQ(choosy.batches[1].records.size(), 2u);
}

TEST(Batch, HugeCountCostsNothing) {
  const Keeper ours = read_all(BatchMaker{.count = 2147483647}.make(two_records()));
  EXPECT_EQ(ours.batches[0].records.size(), 2u);
  EXPECT_EQ(ours.batches[0].error.code, Code::truncated);
  const Keeper negative = read_all(BatchMaker{.count = -1}.make(two_records()));
  EXPECT_EQ(negative.batches[0].error.code, Code::badCount);
}

TEST(Batch, NothingAtAll) {
  const Keeper ours = read_all({});
  EXPECT_TRUE(ours.batches.empty());
  EXPECT_FALSE(ours.left);
}

}  // namespace
}  // namespace kparse::test
