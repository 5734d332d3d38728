// SPDX-License-Identifier: MIT
#include "kparse/record_writer.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "support.h"

namespace kparse::test {
namespace {

Blob write(const NewBatch& batch, std::span<const NewRecord> records, Error* error = nullptr) {
  static Scratch scratch;
  RecordWriter writer;
  writer.begin(batch);
  for (const NewRecord& r : records) writer.add(r);
  Writer out;
  out.text("before");
  const Error e = writer.finish(scratch, out);
  if (error)
    *error = e;
  else
    EXPECT_FALSE(e) << name_of(e.code);
  EXPECT_EQ(text(out.view().first(6)), "before");
  return Blob(out.view().begin() + 6, out.view().end());
}

constexpr std::int64_t time = 1475280000000;

TEST(RecordWriterTest, TheExampleOfTheFormatDescription) {
  const RecordHeader headers[] = {{"a", view("1")}, {"a", {}}, {"b", view("")}};
  const NewRecord records[] = {{.timestamp = time, .key = view("k1"), .value = view("v1"), .headers = headers},
                               {.timestamp = time + 5}};
  EXPECT_EQ(
      write({.base_offset = 42}, records),
      from_hex("000000000000002a0000004dffffffff025bc6cc26000000000001000001577d8a5400000001577d8a5405ffffffffffffffff"
               "ffffffffffff0000000228000000046b3104763106026102310261010262000c000a02010100"));
}

TEST(RecordWriterTest, OldMessages) {
  const NewRecord hi[] = {{.timestamp = time, .value = view("hi")}};
  EXPECT_EQ(write({.magic = 0, .base_offset = 7}, hi),
            from_hex("000000000000000700000010fd6ebddb0000ffffffff000000026869"));
  EXPECT_EQ(write({.magic = 1, .base_offset = 7}, hi),
            from_hex("000000000000000700000018af24409a0100000001577d8a5400ffffffff000000026869"));
}

const NewRecord abc[] = {{.timestamp = time, .value = view("a")},
                         {.timestamp = time + 5, .value = view("b")},
                         {.timestamp = time + 3, .value = view("c")}};

TEST(RecordWriterTest, CompressedMessagesCountFromTheBase) {
  NewBatch batch{.magic = 1, .codec = Codec::snappy, .base_offset = 10};
  batch.compression.xerial = false;
  // The compressor has some freedom, so the inner messages are compared.
  const auto inner_of = [](const Blob& set) {
    static Scratch scratch;
    const Decompressed inner = decompress(Codec::snappy, Bytes(set).subspan(34), scratch);
    return Blob(inner.data.begin(), inner.data.end());
  };
  const Blob inner = from_hex(
      "00000000000000000000001773c04d810100000001577d8a5400ffffffff00000001610000000000000001000000170ce0d77f0100000001"
      "5"
      "77d8a5405ffffffff000000016200000000000000020000001776f997ae0100000001577d8a5403ffffffff0000000163");
  const Blob set = write(batch, abc);
  EXPECT_EQ(inner_of(set), inner);
  const Keeper ours = read_all(set);
  EXPECT_EQ(ours.batches[0].batch.base_offset, 12) << "the last record's";
  EXPECT_EQ(ours.batches[0].batch.base_timestamp, time + 5) << "the largest";
  EXPECT_TRUE(ours.batches[0].batch.crc_valid);
  EXPECT_FALSE(ours.batches[0].batch.xerial);
  ASSERT_EQ(ours.batches[0].records.size(), 3u);
  EXPECT_EQ(ours.batches[0].records[2].record.offset, 12);
  EXPECT_EQ(ours.batches[0].records[2].record.timestamp, time + 3);

  batch.timestamp_type = TimestampType::LogAppendTime;
  batch.log_append_time = 1500000000000;
  const Keeper appended = read_all(write(batch, abc));
  EXPECT_EQ(appended.batches[0].batch.attributes, 10);
  EXPECT_EQ(appended.batches[0].records[0].record.timestamp, 1500000000000);
}

TEST(RecordWriterTest, Magic0HasTheWrongLz4HeaderChecksum) {
  const NewRecord two[] = {{.value = view("a")}, {.value = view("b")}};
  const Blob set = write({.magic = 0, .codec = Codec::lz4, .base_offset = 10}, two);
  EXPECT_EQ(Blob(set.begin() + 26, set.begin() + 33), from_hex("04224d1860401a"));
  const Keeper ours = read_all(set);
  EXPECT_TRUE(ours.batches[0].batch.lz4_wrong_header_checksum);
  EXPECT_EQ(ours.batches[0].batch.base_offset, 11);
  EXPECT_EQ(ours.batches[0].records[0].record.offset, 10);
  EXPECT_EQ(Blob(write({.magic = 1, .codec = Codec::lz4}, two)).at(40), 0x82) << "magic 1 has the right one";
}

TEST(RecordWriterTest, EveryMagicAndCodecIsReadBack) {
  const std::string large(100'000, 'v');
  const RecordHeader headers[] = {{"trace", view("1")}, {"trace", view("")}, {"", {}}, {"\xff\xfe", view("raw")}};
  for (std::int8_t magic = 0; magic <= 2; ++magic) {
    for (const Codec codec : {Codec::none, Codec::gzip, Codec::snappy, Codec::lz4, Codec::zstd}) {
      if (codec == Codec::zstd && magic < 2) continue;
      const std::span<const RecordHeader> h =
          magic == 2 ? std::span<const RecordHeader>(headers) : std::span<const RecordHeader>{};
      const NewRecord records[] = {{.timestamp = 100, .key = view("k"), .value = view(large), .headers = h},
                                   {.offset = 1'000'009, .timestamp = 90, .key = {}, .value = view("")},
                                   {.timestamp = 120, .key = view(""), .value = {}}};
      const Keeper ours = read_all(write({.magic = magic, .codec = codec, .base_offset = 1'000'000}, records));
      std::vector<KeptRecord> read;
      for (const KeptBatch& b : ours.batches) {
        EXPECT_FALSE(b.error) << int{magic} << " " << name_of(codec) << " " << name_of(b.error.code);
        EXPECT_TRUE(b.batch.crc_valid);
        EXPECT_EQ(b.batch.codec, codec);
        EXPECT_EQ(b.batch.inner_crc_bad, 0);
        read.insert(read.end(), b.records.begin(), b.records.end());
      }
      ASSERT_EQ(read.size(), 3u) << int{magic} << " " << name_of(codec);
      const std::int64_t offsets[] = {1'000'000, 1'000'009, 1'000'010};
      for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(read[i].record.offset, offsets[i]) << int{magic} << " " << name_of(codec);
        EXPECT_EQ(read[i].record.timestamp, magic == 0 ? -1 : records[i].timestamp);
      }
      EXPECT_EQ(read[0].value, Blob(large.begin(), large.end()));
      EXPECT_EQ(read[1].key, std::nullopt);
      EXPECT_EQ(read[1].value, Blob());
      EXPECT_EQ(read[2].key, Blob());
      EXPECT_EQ(read[2].value, std::nullopt);
      if (magic < 2) continue;
      ASSERT_EQ(read[0].headers.size(), 4u);
      EXPECT_EQ(read[0].headers[1], std::pair(std::string("trace"), std::optional(Blob())));
      EXPECT_EQ(read[0].headers[2], std::pair(std::string(), std::optional<Blob>()));
      EXPECT_EQ(read[0].headers[3].first, "\xff\xfe");
    }
  }
}

TEST(RecordWriterTest, ProducerFields) {
  const Keeper ours = read_all(write({.partition_leader_epoch = 3,
                                      .producer_id = 9'000'000'000,
                                      .producer_epoch = 7,
                                      .base_sequence = std::numeric_limits<std::int32_t>::max(),
                                      .transactional = true},
                                     abc));
  const KeptBatch& b = ours.batches[0];
  EXPECT_TRUE(b.batch.transactional && !b.batch.control && b.batch.crc_valid);
  EXPECT_EQ(b.batch.partition_leader_epoch, 3);
  EXPECT_EQ(b.batch.producer_id, 9'000'000'000);
  EXPECT_EQ(b.batch.producer_epoch, 7);
  EXPECT_EQ(b.records[1].record.sequence, 0) << "from the largest to 0";
  EXPECT_EQ(b.batch.last_offset_delta, 2);
  EXPECT_EQ(b.batch.max_timestamp, time + 5);
}

TEST(RecordWriterTest, TransactionMarkers) {
  Scratch scratch;
  RecordWriter writer;
  Writer out;
  for (const bool commit : {true, false}) {
    writer.begin({.base_offset = 5, .producer_id = 4000, .producer_epoch = 3, .transactional = true, .control = true});
    writer.add_end_transaction(commit, 9, time);
    EXPECT_FALSE(writer.finish(scratch, out));
  }
  const Keeper ours = read_all(out.view());
  ASSERT_EQ(ours.batches.size(), 2u);
  EXPECT_EQ(control_type_name(ours.batches[0].records[0].record.control_type), "COMMIT");
  EXPECT_EQ(control_type_name(ours.batches[1].records[0].record.control_type), "ABORT");
  EXPECT_EQ(ours.batches[0].records[0].key, from_hex("00000001"));
  EXPECT_EQ(ours.batches[0].records[0].value, from_hex("000000000009"));
  EXPECT_TRUE(ours.batches[0].batch.control);
}

TEST(RecordWriterTest, EmptiedAndAgedBatches) {
  // As Kafka's filterTo leaves them.
  const Keeper emptied = read_all(write(
      {.codec = Codec::gzip, .base_offset = 9, .base_sequence = 4, .max_timestamp = time, .last_offset_delta = 2}, {}));
  EXPECT_FALSE(emptied.batches[0].error);
  EXPECT_EQ(emptied.batches[0].batch.batch_length, 49);
  EXPECT_EQ(emptied.batches[0].batch.count, 0);
  EXPECT_EQ(emptied.batches[0].batch.base_timestamp, -1);
  EXPECT_EQ(emptied.batches[0].batch.max_timestamp, time);
  EXPECT_EQ(emptied.batches[0].batch.last_offset_delta, 2);

  const Keeper aged = read_all(write({.delete_horizon = time + 86'400'000}, abc));
  EXPECT_TRUE(aged.batches[0].batch.has_delete_horizon);
  EXPECT_EQ(aged.batches[0].batch.base_timestamp, time + 86'400'000);
  EXPECT_EQ(aged.batches[0].records[1].record.timestamp, time + 5);

  EXPECT_TRUE(write({.magic = 1, .codec = Codec::gzip}, {}).empty());
}

TEST(RecordWriterTest, WhatNoFormatCanCarry) {
  const RecordHeader header[] = {{"h", {}}};
  const NewRecord with_header[] = {{.headers = header}};
  const auto refused = [](const NewBatch& b, std::span<const NewRecord> records) {
    Error e;
    EXPECT_TRUE(write(b, records, &e).empty());
    return name_of(e.code);
  };
  EXPECT_EQ(refused({.magic = 3}, abc), "unknownMagic");
  EXPECT_EQ(refused({.magic = 1, .codec = Codec::zstd}, abc), "unknownCodec");
  EXPECT_EQ(refused({.codec = static_cast<Codec>(5)}, abc), "unknownCodec");
  EXPECT_EQ(refused({.magic = 1}, with_header), "badValue");
  EXPECT_EQ(refused({.magic = 1, .transactional = true}, abc), "badValue");
  EXPECT_EQ(refused({.magic = 0, .producer_id = 0}, abc), "badValue");
  const NewRecord far[] = {{.offset = std::int64_t{1} << 31}};
  EXPECT_EQ(refused({}, far), "badValue");
  const NewRecord near[] = {{.offset = (std::int64_t{1} << 31) - 1}};
  EXPECT_EQ(read_all(write({}, near)).batches[0].batch.last_offset_delta, std::numeric_limits<std::int32_t>::max());
}

TEST(RecordWriterTest, OneWrongThingAtATime) {
  const auto read = [](const WrongBatch& wrong) { return read_all(write({.wrong = wrong}, abc)).batches.at(0); };
  EXPECT_FALSE(read({.crc_xor = 1}).batch.crc_valid);
  EXPECT_FALSE(read({.crc_xor = 1}).error) << "nothing else is wrong";

  EXPECT_EQ(read({.count = 4}).error.code, Code::truncated);
  EXPECT_EQ(read({.count = 2}).error.code, Code::surplus);
  EXPECT_EQ(read({.count = 2}).records.size(), 2u);
  EXPECT_TRUE(read({.count = 4}).batch.crc_valid);
  EXPECT_EQ(read({.count = -1}).error.code, Code::badCount);
  EXPECT_EQ(read({.magic = 9}).error.code, Code::unknownMagic);
  EXPECT_EQ(read({.attributes = 7}).error.code, Code::unknownCodec);
  EXPECT_EQ(read({.length = 48}).error.code, Code::badLength);
  EXPECT_EQ(read({.surplus = view("x")}).error.code, Code::surplus);
  const Keeper cut = read_all(write({.wrong = {.length = 10'000}}, abc));
  EXPECT_EQ(cut.left->second, 10'012u);

  const auto record = [](const WrongRecord& wrong) {
    const RecordHeader headers[] = {{"h", view("1")}};
    const NewRecord records[] = {{.value = view("first")},
                                 {.key = view("key"), .value = view("value"), .headers = headers, .wrong = wrong}};
    return read_all(write({}, records)).batches.at(0);
  };
  EXPECT_FALSE(record({}).error);
  for (const WrongRecord& wrong :
       {WrongRecord{.length = 3}, WrongRecord{.length = 100}, WrongRecord{.length = -1},
        WrongRecord{.key_length = 1000}, WrongRecord{.value_length = 4}, WrongRecord{.header_count = 2},
        WrongRecord{.header_count = 0}, WrongRecord{.header_count = -1}}) {
    const KeptBatch b = record(wrong);
    EXPECT_TRUE(b.error);
    EXPECT_TRUE(b.batch.crc_valid);
    EXPECT_EQ(b.records.size(), 1u) << "those before it are read";
  }
  EXPECT_EQ(record({.offset_delta = -5}).records[1].record.offset, -5);
  EXPECT_EQ(record({.timestamp_delta = 77}).records[1].record.timestamp, 76);
}

TEST(RecordWriterTest, WrongMessages) {
  const NewRecord bad[] = {{.value = view("a"), .wrong = {.crc_xor = 1}}, {.value = view("b")}};
  const Keeper alone = read_all(write({.magic = 1}, bad));
  EXPECT_FALSE(alone.batches[0].batch.crc_valid);
  EXPECT_TRUE(alone.batches[1].batch.crc_valid);
  const Keeper inside = read_all(write({.magic = 1, .codec = Codec::gzip}, bad));
  EXPECT_TRUE(inside.batches[0].batch.crc_valid);
  EXPECT_EQ(inside.batches[0].batch.inner_crc_bad, 1);
  const Keeper outside = read_all(write({.magic = 1, .codec = Codec::gzip, .wrong = {.crc_xor = 1}}, abc));
  EXPECT_FALSE(outside.batches[0].batch.crc_valid);
  EXPECT_EQ(outside.batches[0].records.size(), 3u);
}

}  // namespace
}  // namespace kparse::test
