// SPDX-License-Identifier: MIT
// NAME.decoded: which payload is found where.
#include <gtest/gtest.h>

#include "json_check.h"

namespace kparse::test {
namespace {

bool has(const std::string& json, std::string_view what) { return json.find(what) != std::string::npos; }

// Subscription v1 of topic "t" with user data of generation 5, no partitions owned.
const std::string subscription = "00000015 0001 00000001 0001 74 00000004 00000005 00000000";
// JoinGroupRequest v0: group, session timeout, member, protocol type, protocols [name, metadata]
std::string join(const std::string& type, const std::string& protocol, const std::string& metadata) {
  return "0001 67 00001000 0000 " + type + " 00000001 " + protocol + " " + metadata;
}
const std::string consumer = "0008 636f6e73756d6572", cooperative = "0012 636f6f70657261746976652d737469636b79",
                  range = "0005 72616e6765";

TEST(Siblings, ConsumerSubscription) {
  const Blob body = from_hex(join(consumer, range, subscription));
  const Dumped d = dump("JoinGroupRequest", 0, body);
  ASSERT_EQ(d.error.code, Code::none) << d.json;
  EXPECT_TRUE(has(d.json, R"("metadata.decoded":{"topics":["t"],"userData":"AAAABQ==","ownedPartitions":[]})"))
      << d.json;
  EXPECT_EQ(d.facts.protocol_type, "consumer");
}

TEST(Siblings, UserDataByAssignor) {
  const Dumped d = dump("JoinGroupRequest", 0, from_hex(join(consumer, cooperative, subscription)));
  EXPECT_TRUE(has(d.json, R"("userData.decoded":{"assignor":"cooperative-sticky","generation":5})")) << d.json;
}

TEST(Siblings, Connect) {
  const Dumped d =
      dump("JoinGroupRequest", 0,
           from_hex(join("0007 636f6e6e656374", "0007 64656661756c74", "0000000d 0000 0001 75 0000000000000001")));
  EXPECT_TRUE(has(d.json, R"("metadata.decoded":{"url":"u","configOffset":1})")) << d.json;
}

TEST(Siblings, OtherProtocolTypesStayBytes) {
  const Dumped d = dump("JoinGroupRequest", 0, from_hex(join("0002 7372", "0002 7630", subscription)));
  EXPECT_FALSE(has(d.json, "decoded")) << d.json;
}

// SyncGroupResponse v0: error, assignment
const std::string assignment = "0000 00000019 0000 00000001 0001 74 00000002 00000000 00000001 ffffffff";

TEST(Siblings, TypeFromTheCaller) {
  const Blob body = from_hex(assignment);
  const std::string expected =
      R"("assignment.decoded":{"assignedPartitions":[{"topic":"t","partitions":[0,1]}],"userData":null})";
  EXPECT_TRUE(has(dump("SyncGroupResponse", 0, body, {}, {.protocol_type = "consumer"}).json, expected));
  EXPECT_TRUE(has(dump("SyncGroupResponse", 0, body).json, expected));  // fits to the last byte
  EXPECT_FALSE(has(dump("SyncGroupResponse", 0, body, {}, {.protocol_type = "sr"}).json, "decoded"));
}

TEST(Siblings, UnknownTypeNeedsAnExactFit) {
  const Blob body = from_hex("0000 0000001a 0000 00000001 0001 74 00000002 00000000 00000001 ffffffff 00");
  EXPECT_FALSE(has(dump("SyncGroupResponse", 0, body).json, "decoded"));
  EXPECT_TRUE(has(dump("SyncGroupResponse", 0, body, {}, {.protocol_type = "consumer"}).json, "decoded"));
}

TEST(Siblings, NoneWhenNotWanted) {
  JsonOptions options;
  options.decoded = false;
  EXPECT_FALSE(has(dump("SyncGroupResponse", 0, from_hex(assignment), options).json, "decoded"));
}

TEST(Siblings, EnvelopeResponseNeedsItsRequest) {
  // responseData: header (correlation id 7, no tags), body of a HeartbeatResponse v4; error 0
  const Blob body = from_hex("0d 00000007 00 00000000 0010 00 0000 00");
  const Dumped d = dump("EnvelopeResponse", 0, body, {}, {.inner_api_key = 12, .inner_version = 4});
  EXPECT_EQ(d.error.code, Code::none);
  EXPECT_TRUE(has(
      d.json,
      R"("responseData.decoded":{"innerHeader":{"correlationId":7},"api":"Heartbeat","innerBody":{"throttleTimeMs":0,"errorCode":16}})"))
      << d.json;
  EXPECT_FALSE(has(dump("EnvelopeResponse", 0, body).json, "decoded"));
}

}  // namespace
}  // namespace kparse::test
