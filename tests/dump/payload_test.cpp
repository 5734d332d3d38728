// SPDX-License-Identifier: MIT
// Payloads that Kafka's own classes don't write, but others do, or that are cut.
#include <gtest/gtest.h>

#include "json_check.h"
#include "kparse/payload.h"

namespace kparse::test {
namespace {

TEST(ConsumerPayloads, CutShortByOtherClients) {
  // Subscription that says version 1 but ends after the user data, as some clients write it.
  Error error;
  const std::string json = payload("consumer-subscription", from_hex("0001 00000001 0001 74 ffffffff"), 0, -1, &error);
  EXPECT_EQ(error.code, Code::truncated);
  EXPECT_EQ(json, R"({"topics":["t"],"userData":null})");
}

TEST(ConsumerPayloads, NegativeVersionIsNone) {
  Error error;
  EXPECT_EQ(payload("consumer-assignment", from_hex("ffff 00000000 ffffffff"), 0, -1, &error), "");
  EXPECT_EQ(error.code, Code::badValue);
}

TEST(ConsumerPayloads, StickyUserDataOfVersion0) {
  EXPECT_EQ(payload("assignor-user-data-sticky", from_hex("00000001 0001 74 00000002 00000000 00000001")),
            R"({"assignor":"sticky","partitionsByTopic":{"t":[0,1]},"generation":null})");
}

TEST(ConnectPayloads, RevokedAndDelayMayBeMissing) {
  EXPECT_EQ(payload("connect-assignment", from_hex("0001 0000 0001 6c 0001 75 0000000000000001 00000000")),
            R"({"error":0,"leader":"l","leaderUrl":"u","configOffset":1,"connectors":[],"tasks":[],"version":1,)"
            R"("revokedConnectors":[],"revokedTasks":[],"delay":0})");
}

TEST(ConnectPayloads, NullAllocation) {
  EXPECT_EQ(payload("connect-metadata", from_hex("0001 0001 75 0000000000000001 ffffffff")),
            R"({"url":"u","configOffset":1,"allocation":null})");
}

TEST(ConnectPayloads, CountThatCannotBe) {
  Error error;
  const std::string json =
      payload("connect-assignment", from_hex("0000 0000 0001 6c 0001 75 0000000000000001 7fffffff"), 0, -1, &error);
  EXPECT_EQ(error.code, Code::badCount);
  EXPECT_TRUE(valid_json(json));
}

TEST(StreamsPayloads, UnknownVersion) {
  Error error;
  EXPECT_EQ(payload("streams-assignment-info", from_hex("0000000c 0000000c"), 0, -1, &error), "");
  EXPECT_EQ(error.code, Code::unknownVersion);
}

/// Each partition names a topic that the dictionary lacks: a pass over it each, unless somebody counts.
TEST(StreamsPayloads, HostileDictionary) {
  Blob b = from_hex("00000006 0000000b 00000000 00000000 00010000");
  for (int n = 0; n < 0x10000; ++n) b.insert(b.end(), {0, 0, 0, 1, 0, 0});
  const Blob host = from_hex("00000001 0001 68 00000001 00010000");
  b.insert(b.end(), host.begin(), host.end());
  for (int n = 0; n < 0x10000; ++n) b.insert(b.end(), {0x7f, 0, 0, 1, 0, 0, 0, 0});
  const Blob end = from_hex("00000000 00000000");
  b.insert(b.end(), end.begin(), end.end());
  Error error;
  const std::string json = payload("streams-assignment-info", b, 0, -1, &error);
  EXPECT_EQ(error.code, Code::none);
  EXPECT_TRUE(json.find(R"({"topic":null,"partition":0})") != std::string::npos);
}

TEST(ControlPayloads, Values) {
  EXPECT_EQ(payload("control-value", from_hex("0000 00000007"), 0, 1),
            R"({"message":"EndTxnMarker","messageVersion":0,"json":{"coordinatorEpoch":7}})");
  EXPECT_EQ(payload("control-value", from_hex("0000 0001 00"), 0, 5),
            R"({"message":"KRaftVersionRecord","messageVersion":0,"json":{"version":0,"kRaftVersion":1}})");
  EXPECT_EQ(payload("control-value", from_hex("0000"), 0, 9), "");
}

TEST(InternalTopics, OffsetCommit) {
  JsonDump dumper{JsonOptions{}};
  JsonWriter out;
  const Blob key = from_hex("0001 0001 67 0001 74 00000003"),
             value = from_hex("0003 000000000000000a ffffffff 0000 0000000000000001");
  EXPECT_TRUE(decode_internal_key(dumper, out, "__consumer_offsets", key).done);
  EXPECT_EQ(
      out.view(),
      R"({"message":"OffsetCommitKey","apiKey":1,"messageVersion":0,"json":{"group":"g","topic":"t","partition":3}})");
  out.clear();
  EXPECT_TRUE(decode_internal_value(dumper, out, "__consumer_offsets", key, value).done);
  EXPECT_EQ(
      out.view(),
      R"({"message":"OffsetCommitValue","apiKey":1,"messageVersion":3,"json":{"offset":10,"leaderEpoch":-1,"metadata":"","commitTimestamp":1}})");
}

TEST(InternalTopics, TypeZeroMeansSomethingElseInEachTopic) {
  JsonDump dumper{JsonOptions{}};
  JsonWriter out;
  const Blob key = from_hex("0000 0002 7478");
  EXPECT_TRUE(decode_internal_key(dumper, out, "__transaction_state", key).done);
  EXPECT_EQ(out.view(),
            R"({"message":"TransactionLogKey","apiKey":0,"messageVersion":0,"json":{"transactionalId":"tx"}})");
}

TEST(InternalTopics, NothingOfTombstonesAndOtherTopics) {
  JsonDump dumper{JsonOptions{}};
  JsonWriter out;
  EXPECT_FALSE(decode_internal_value(dumper, out, "__consumer_offsets", from_hex("0001"), {}).done);
  EXPECT_FALSE(decode_internal_key(dumper, out, "orders", from_hex("0001 0000")).done);
  EXPECT_FALSE(decode_internal_key(dumper, out, "__consumer_offsets", from_hex("7fff 0000")).done);
  EXPECT_EQ(out.view(), "");
}

TEST(InternalTopics, SecretsOfMetadata) {
  // UserScramCredentialRecord v0: "u", SCRAM-SHA-256, salt, stored key, server key, 4096 iterations
  const Blob value = from_hex("01 0b 00  02 75 01 02 aa 02 bb 02 cc 00001000 00");
  JsonDump dumper{JsonOptions{}};
  JsonWriter out;
  const InternalDecoded d = decode_internal_value(dumper, out, "__cluster_metadata", {}, value);
  EXPECT_TRUE(d.done);
  EXPECT_TRUE(d.secret);
  EXPECT_TRUE(out.view().find(R"j("storedKey":"(redacted)")j") != std::string_view::npos) << out.view();
}

}  // namespace
}  // namespace kparse::test
