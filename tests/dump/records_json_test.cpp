// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "json_check.h"

namespace kparse::test {
namespace {

// Kafka's vector: one record, key "k", value "v", no headers, CreateTime (records/data has many more).
Blob some_set() {
  for (const std::string& line : lines_of(data_file("records/data/records.jsonl"))) {
    rapidjson::Document row;
    row.Parse(line.c_str());
    const auto batches = row["batches"].GetArray();
    if (std::string_view(row["outcome"].GetString()) == "ok" && batches.Size() == 1 &&
        batches[0]["magic"].GetInt() == 2 && batches[0]["records"].Size() == 1)
      return from_hex(row["hex"].GetString());
  }
  return {};
}

std::string records(Bytes set, RecordsAs as, std::string_view topic = {}, BytesAs bytes = BytesAs::text) {
  JsonOptions options;
  options.records = as;
  options.bytes = bytes;
  JsonDump d(options);
  JsonWriter out;
  (void)d.records(out, set, topic);
  return std::string(out.view());
}

TEST(RecordsJson, Modes) {
  const Blob set = some_set();
  ASSERT_FALSE(set.empty());
  const auto full = parsed(records(set, RecordsAs::full));
  ASSERT_EQ(full["batches"].Size(), 1u);
  const Json& batch = full["batches"][0];
  for (const char* name :
       {"baseOffset", "batchLength", "partitionLeaderEpoch", "magic", "crc", "crcValid", "codec", "timestampType",
        "transactional", "control", "deleteHorizon", "lastOffsetDelta", "baseTimestamp", "maxTimestamp", "producerId",
        "producerEpoch", "baseSequence", "count", "records"})
    EXPECT_TRUE(batch.HasMember(name)) << name;
  for (const char* name : {"offset", "timestamp", "sequence", "keySize", "valueSize", "key", "value", "headers"})
    EXPECT_TRUE(batch["records"][0].HasMember(name)) << name;
  EXPECT_FALSE(full.HasMember("partial"));
  EXPECT_FALSE(parsed(records(set, RecordsAs::batches))["batches"][0].HasMember("records"));
  const auto bare = parsed(records(set, RecordsAs::full, {}, BytesAs::nothing));
  EXPECT_FALSE(bare["batches"][0]["records"][0].HasMember("value"));
  EXPECT_TRUE(bare["batches"][0]["records"][0].HasMember("valueSize"));
}

TEST(RecordsJson, PartialTail) {
  Blob set = some_set();
  const std::size_t whole = set.size();
  set.insert(set.end(), set.begin(), set.begin() + 20);
  const auto json = parsed(records(set, RecordsAs::full));
  EXPECT_EQ(json["batches"].Size(), 1u);
  EXPECT_EQ(json["partial"]["bytes"].GetUint64(), 20u);
  EXPECT_EQ(json["partial"]["need"].GetUint64(), whole);
}

TEST(RecordsJson, WrongCrcIsSaid) {
  Blob set = some_set();
  set.back() ^= 1;
  EXPECT_FALSE(parsed(records(set, RecordsAs::full))["batches"][0]["crcValid"].GetBool());
}

TEST(RecordsJson, InABody) {
  // ProduceRequest v3 up to its records: transactional id null, acks, timeout, topic "t", partition 0
  const Blob set = some_set();
  Blob body = from_hex("ffff 0001 00000000 00000001 0001 74 00000001 00000000");
  for (int n = 3; n >= 0; --n) body.push_back(static_cast<std::uint8_t>(set.size() >> 8 * n));
  body.insert(body.end(), set.begin(), set.end());
  const auto json = parsed(dump("ProduceRequest", 3, body).json);
  const Json& field = json["topicData"][0]["partitionData"][0]["records"];
  EXPECT_EQ(field["sizeInBytes"].GetUint64(), set.size());
  EXPECT_EQ(field["batches"].Size(), 1u);
  JsonOptions none;
  none.records = RecordsAs::nothing;
  EXPECT_EQ(
      parsed(dump("ProduceRequest", 3, body, none).json)["topicData"][0]["partitionData"][0]["records"].MemberCount(),
      1u);
}

TEST(RecordsJson, NullAndEmpty) {
  const std::string head = "ffff 0001 00000000 00000001 0001 74 00000001 00000000 ";
  EXPECT_TRUE(
      parsed(dump("ProduceRequest", 3, from_hex(head + "ffffffff")).json)["topicData"][0]["partitionData"][0]["records"]
          .IsNull());
  const auto empty = parsed(dump("ProduceRequest", 3, from_hex(head + "00000000")).json);
  EXPECT_EQ(empty["topicData"][0]["partitionData"][0]["records"].MemberCount(), 1u);
}

}  // namespace
}  // namespace kparse::test
