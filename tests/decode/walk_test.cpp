// SPDX-License-Identifier: MIT
// Layouts by hand, from Kafka's protocol guide, and where Kafka's own readers are lenient.
#include <gtest/gtest.h>

#include <algorithm>

#include "support.h"

namespace kparse::test {
namespace {

using Strings = std::vector<std::string>;

bool noted(const Walked& w, Note::Rule rule) {
  return std::any_of(w.log.notes.begin(), w.log.notes.end(), [rule](const Note& n) { return n.rule == rule; });
}

TEST(Walk, PlainRequest) {
  // HeartbeatRequest v0: groupId string, generationId int32, memberId string
  const Walked w = walk_all("HeartbeatRequest", 0, from_hex("0001 67  00000005  0002 6d31"));
  EXPECT_EQ(w.error.code, Code::none);
  EXPECT_EQ(w.log.values("groupId"), Strings{"g"});
  EXPECT_EQ(w.log.values("generationId"), Strings{"5"});
  EXPECT_EQ(w.log.values("memberId"), Strings{"m1"});
  EXPECT_TRUE(w.log.notes.empty());
}

TEST(Walk, ErrorNamesFieldPlaceAndNeed) {
  const Walked w = walk_all("HeartbeatRequest", 0, from_hex("0001 67  00000005  0007 6d31"));
  EXPECT_EQ(w.error.code, Code::truncated);
  EXPECT_EQ(field(w.error.node).name, "memberId");
  EXPECT_EQ(w.error.offset, 9u);
  EXPECT_EQ(w.error.need, 7u);
  EXPECT_EQ(w.error.have, 2u);
  EXPECT_EQ(w.error.limit, Limit::frame);
  EXPECT_EQ(w.log.values("generationId"), Strings{"5"});  // what came before stays
}

TEST(Walk, SkippedRunNamesTheFieldInside) {
  ProgramSet programs(Interest::nothing());
  const Blob body = from_hex("0001 67 0000");
  Log log(body);
  const Error e = walk(programs.get(*find_message("HeartbeatRequest"), 0), body, log);
  EXPECT_EQ(field(e.node).name, "generationId");
  EXPECT_EQ(e.offset, 3u);
}

TEST(Walk, SurplusIsANote) {
  // Old librdkafka sends ApiVersions 0 with four surplus bytes.
  const Walked w = walk_all("ApiVersionsRequest", 0, from_hex("00000000"));
  EXPECT_EQ(w.error.code, Code::none);
  ASSERT_EQ(w.log.notes.size(), 1u);
  EXPECT_EQ(w.log.notes[0].rule, Note::Rule::surplusBytes);
  EXPECT_EQ(w.log.notes[0].have, 4u);
}

TEST(Walk, AnyNegativeLengthIsNull) {
  // MetadataRequest v1: topics, a nullable array
  for (const char* count : {"ffffffff", "fffffffe", "80000000"}) {
    const Walked w = walk_all("MetadataRequest", 1, from_hex(count));
    EXPECT_EQ(w.error.code, Code::none) << count;
    EXPECT_TRUE(w.log.notes.empty()) << count;
    EXPECT_TRUE(w.log.lines[1].starts_with("null")) << count;
  }
}

TEST(Walk, NullWhereNoneIsAllowedIsShown) {
  const Walked w = walk_all("HeartbeatRequest", 0, from_hex("ffff  00000005  0000"));
  EXPECT_EQ(w.error.code, Code::none);
  EXPECT_TRUE(noted(w, Note::Rule::nullNotAllowed));
  EXPECT_EQ(w.log.values("generationId"), Strings{"5"});
}

/// An array may be null; its elements may not, whatever the schema says of the array.
TEST(Walk, NullElementsAreNoted) {
  const Walked w = walk_all("DescribeConfigsRequest", 4, from_hex("02 00 01 02 00 00  01 00 00"));
  EXPECT_EQ(w.error.code, Code::none);
  EXPECT_TRUE(noted(w, Note::Rule::nullNotAllowed));
  const Walked null_array = walk_all("DescribeConfigsRequest", 4, from_hex("02 00 01 00 00  01 00 00"));
  EXPECT_EQ(null_array.error.code, Code::none);
  EXPECT_TRUE(null_array.log.notes.empty());
}

TEST(Walk, CountsAreCheckedAgainstTheBytesLeft) {
  const Walked w = walk_all("MetadataRequest", 0, from_hex("7fffffff 0001 61"));
  EXPECT_EQ(w.error.code, Code::badCount);
  EXPECT_EQ(w.error.need, 0x7fffffffu);
  EXPECT_EQ(w.error.have, 3u);
}

TEST(Walk, CompactStringsHaveTheLimitOfPlainOnes) {
  Blob body = from_hex("818002");  // 32769 - 1: one too many
  body.resize(body.size() + 32768 + 100);
  const Walked w = walk_all("HeartbeatRequest", 4, body);
  EXPECT_EQ(w.error.code, Code::badLength);
  EXPECT_EQ(field(w.error.node).name, "groupId");
}

TEST(Walk, BoolIsAnyNonZeroByte) {
  // MetadataRequest v4: topics [], allowAutoTopicCreation
  EXPECT_EQ(walk_all("MetadataRequest", 4, from_hex("00000000 ff")).log.values("allowAutoTopicCreation"),
            Strings{"true"});
  EXPECT_EQ(walk_all("MetadataRequest", 4, from_hex("00000000 00")).log.values("allowAutoTopicCreation"),
            Strings{"false"});
}

TEST(Walk, NullableStructIsPresentFromZeroOn) {
  // ShareGroupHeartbeatResponse v1: throttle, error, message null, memberId null, epoch, interval, assignment, tags
  const std::string head = "00000000 0000 00 00 00000001 00000005 ";
  for (const char* flag : {"00", "01", "7f"}) {
    const Walked w = walk_all("ShareGroupHeartbeatResponse", 1, from_hex(head + flag + " 01 00 00"));
    EXPECT_EQ(w.error.code, Code::none) << flag;
    EXPECT_EQ(w.log.values("topicPartitions"), Strings{"0"}) << flag;
  }
  const Walked null = walk_all("ShareGroupHeartbeatResponse", 1, from_hex(head + "ff 00"));
  EXPECT_EQ(null.error.code, Code::none);
  EXPECT_TRUE(null.log.values("topicPartitions").empty());
}

// FetchRequest v12 up to its tags: nothing asked for.
const std::string fetch = "ffffffff 000001f4 00000001 03200000 00 00000000 ffffffff 01 01 01 ";

TEST(Tags, KnownTag) {
  const Walked w = walk_all("FetchRequest", 12, from_hex(fetch + "01  00 02 0263"));
  EXPECT_EQ(w.error.code, Code::none);
  EXPECT_EQ(w.log.values("clusterId"), Strings{"c"});
  EXPECT_TRUE(w.log.notes.empty());
}

TEST(Tags, UnknownOnesAreToldWithTheirStruct) {
  const Walked w = walk_all("FetchRequest", 12, from_hex(fetch + "01  63 03 010203"));
  EXPECT_EQ(w.error.code, Code::none);
  EXPECT_EQ(w.log.values("FetchRequest").size(), 2u);  // the message itself, and its tag
}

TEST(Tags, LastOfTwoCounts) {
  const Walked w = walk_all("FetchRequest", 12, from_hex(fetch + "02  00 02 0261  00 02 0262"));
  EXPECT_EQ(w.error.code, Code::none);
  EXPECT_EQ(w.log.values("clusterId"), Strings{"b"});
  EXPECT_TRUE(noted(w, Note::Rule::tagOrder));
}

TEST(Tags, OrderDoesNotMatter) {
  const Walked w = walk_all("FetchRequest", 12, from_hex(fetch + "02  63 01 00  00 02 0261"));
  EXPECT_EQ(w.log.values("clusterId"), Strings{"a"});
  EXPECT_TRUE(noted(w, Note::Rule::tagOrder));
}

TEST(Tags, SizeIsKeptWhateverTheValueUses) {
  // Too large: what is left over is passed over.
  const Walked large = walk_all("FetchRequest", 12, from_hex(fetch + "02  00 04 0261ffff  63 01 07"));
  EXPECT_EQ(large.error.code, Code::none);
  EXPECT_EQ(large.log.values("clusterId"), Strings{"a"});
  EXPECT_TRUE(noted(large, Note::Rule::tagSize));
  // Too small: the value can't be read, what follows can.
  const Walked small = walk_all("FetchRequest", 12, from_hex(fetch + "02  00 01 09  63 01 07"));
  EXPECT_EQ(small.error.code, Code::none);
  EXPECT_TRUE(small.log.values("clusterId").empty());
  EXPECT_TRUE(noted(small, Note::Rule::tagSize));
  EXPECT_EQ(small.log.open, 0);
}

TEST(Tags, Limits) {
  EXPECT_EQ(walk_all("FetchRequest", 12, from_hex(fetch + "05 0000")).error.code, Code::badCount);
  Blob many = from_hex(fetch + "914e");  // 10,001
  many.resize(many.size() + 30000);
  EXPECT_EQ(walk_all("FetchRequest", 12, many).error.code, Code::badCount);
  EXPECT_EQ(walk_all("FetchRequest", 12, from_hex(fetch + "01 63 ffffffff0f")).error.code, Code::badLength);
  EXPECT_EQ(walk_all("FetchRequest", 12, from_hex(fetch + "01 63 05 0102")).error.code, Code::truncated);
  EXPECT_EQ(walk_all("FetchRequest", 12, from_hex(fetch + "ffffffffff01")).error.code, Code::badVarint);
}

/// A tag that claims to hold nothing can't make the rest of the body be read again and again.
TEST(Tags, ValuesEndWithTheirTag) {
  Blob body = from_hex(fetch + "8827");  // 5000 tags
  for (int n = 0; n < 5000; ++n) body.insert(body.end(), {0x00, 0x00});
  body.resize(body.size() + 1000);
  const Walked w = walk_all("FetchRequest", 12, body);
  EXPECT_EQ(w.error.code, Code::none);
  EXPECT_TRUE(w.log.values("clusterId").empty());
}

TEST(Programs, UnknownVersion) {
  ProgramSet programs(Interest::everything());
  const Blob body;
  Log log(body);
  const Error e = walk(programs.get(*find_message("FetchRequest"), 99), body, log);
  EXPECT_EQ(e.code, Code::unknownVersion);
  EXPECT_EQ(e.have, 99u);
  EXPECT_TRUE(log.lines.empty());
}

TEST(Programs, UnwantedFixedFieldsAreOneStep) {
  const Program p(find_message("FetchRequest")->root, 11, false, Interest::nothing());
  const Program::Block& b = p.block(0);
  // replicaId .. sessionEpoch are one run; topics, forgotten topics and the rack id follow
  ASSERT_EQ(b.ops, 4);
  EXPECT_EQ(p.op(b.first_op).kind, Program::Op::Kind::run);
  EXPECT_EQ(p.op(b.first_op).size, 4u + 4 + 4 + 4 + 1 + 4 + 4);
}

TEST(Programs, KeptOncePerVersion) {
  ProgramSet programs(Interest::nothing());
  const Message& m = *find_message("FetchRequest");
  EXPECT_EQ(&programs.get(m, 11), &programs.get(m, 11));
  EXPECT_NE(&programs.get(m, 11), &programs.get(m, 10));
}

TEST(Interests, ByMark) {
  Interest i = Interest::nothing();
  i.add(Mark::group);
  ProgramSet programs(i);
  const Blob body = from_hex("0001 67  00000005  0002 6d31");
  Log log(body);
  EXPECT_FALSE(walk(programs.get(*find_message("HeartbeatRequest"), 0), body, log));
  EXPECT_EQ(log.values("groupId"), Strings{"g"});
  EXPECT_TRUE(log.values("memberId").empty());
}

}  // namespace
}  // namespace kparse::test
