// SPDX-License-Identifier: MIT
// Values that are no JSON, members that leave no trace, and what the encoder takes for granted of the schema.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "encode/fields.h"
#include "encoding.h"

namespace kparse::test {
namespace {

/// A user's own values: bytes and ids as they are, no text in between.
struct Item {
  Value value{};
  std::vector<std::pair<std::string, Item>> members{};
  std::vector<Item> elements{};
};
class Items : public ValueSource {
 public:
  static Value view(const Item& i) {
    if (!i.members.empty()) return Value::object(&i, i.members.size());
    if (!i.elements.empty()) return Value::array(&i, i.elements.size());
    return i.value;
  }
  [[nodiscard]] Value element(const Value& v, std::size_t n) const noexcept override {
    return view(static_cast<const Item*>(v.handle)->elements[n]);
  }
  [[nodiscard]] ValueMember member(const Value& v, std::size_t n) const noexcept override {
    const auto& m = static_cast<const Item*>(v.handle)->members[n];
    return {m.first, view(m.second)};
  }
};

TEST(Values, OfOnesOwn) {
  const std::uint8_t id[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  const std::uint8_t batch[] = {0xca, 0xfe};
  const Item partition{
      .members = {{"index", {.value = Value::of(std::int64_t{7})}}, {"records", {.value = Value::of(Bytes(batch))}}}};
  const Item topic{
      .members = {{"topicId", {.value = Value::of(Bytes(id))}}, {"partitionData", {.elements = {partition}}}}};
  const Item body{.members = {{"transactionalId", {.value = Value::of_null()}},
                              {"acks", {.value = Value::of(std::int64_t{-1})}},
                              {"timeoutMs", {.value = Value::of(std::int64_t{1000})}},
                              {"topicData", {.elements = {topic}}}}};
  const Items source;
  Encoder encoder(source);
  Writer out;
  EXPECT_FALSE(encoder.message(*find_message("ProduceRequest"), 13, Items::view(body), out));
  EXPECT_EQ(to_hex(out.view()),
            "00"
            "ffff"
            "000003e8"
            "02"
            "000102030405060708090a0b0c0d0e0f"
            "02"
            "00000007"
            "03cafe"
            "00"
            "00"
            "00");
}

TEST(Values, UnknownMembersAreIgnoredAndTold) {
  // As Kafka's converters do; what our own decoder adds isn't worth telling.
  const Encoded e = encode("MetadataRequest", 1,
                           R"({"topics":[{"name":"a","colour":1},{"name":"b","name.decoded":{}}],"more":[[[]]]})");
  EXPECT_EQ(e.hex,
            "00000002"
            "000161"
            "000162");
  EXPECT_EQ(e.ignored, (std::vector<std::string>{" more", "topics[0] colour"}));
}

TEST(Values, ManyUnknownMembersAreCounted) {
  std::string json = R"({"topics":[])";
  for (int i = 0; i < 100; ++i) json += ",\"x" + std::to_string(i) + "\":0";
  EXPECT_EQ(encode("MetadataRequest", 1, json + "}").ignored.size(), Encoder::max_ignored);
}

TEST(Values, MembersInAnyOrderTheLastOfANameCounts) {
  EXPECT_EQ(encode("HeartbeatRequest", 0, R"({"memberId":"m","generationId":1,"groupId":"g","generationId":2})").hex,
            "000167"
            "00000002"
            "00016d");
}

TEST(Values, TagsAreWrittenInTheirOrderAndOnlyWhenNotAtTheirDefault) {
  // NodeEndpoints has tag 0 in the body, CurrentLeader tag 1 in a partition, after DivergingEpoch (0).
  const auto partition = [](const char* tagged) {
    return std::string(R"({"throttleTimeMs":0,"errorCode":0,"sessionId":0,"responses":[{"topic":"t","partitions":[{)"
                       R"("partitionIndex":0,"errorCode":0,"highWatermark":0,"lastStableOffset":0,"logStartOffset":0,)"
                       R"("abortedTransactions":null,"preferredReadReplica":-1,"records":null)") +
           tagged + "}]}]}";
  };
  const std::string begin =
      "00000000"
      "0000"
      "00000000"
      "02"
      "0274"
      "02"
      "00000000"
      "0000"
      "0000000000000000"
      "0000000000000000"
      "0000000000000000"
      "00"
      "ffffffff"
      "00";
  EXPECT_EQ(encode("FetchResponse", 12, partition("")).hex, begin +
                                                                "00"
                                                                "00"
                                                                "00");
  EXPECT_EQ(encode("FetchResponse", 12, partition(R"(,"currentLeader":{"leaderId":-1,"leaderEpoch":-1})")).hex,
            begin +
                "00"
                "00"
                "00");
  EXPECT_EQ(encode("FetchResponse", 12,
                   partition(R"(,"$tags":[{"tag":9,"data":""}],"currentLeader":{"leaderId":1,"leaderEpoch":-1},)"
                             R"("divergingEpoch":{"epoch":2,"endOffset":-1})"))
                .hex,
            begin +
                "03"
                "000d"
                "00000002"
                "ffffffffffffffff"
                "00"
                "0109"
                "00000001"
                "ffffffff"
                "00"
                "0900"
                "00"
                "00");
}

TEST(Values, TheSchemaFitsIntoTheEncodersTables) {
  for (NodeId n = 0; n < fields().size(); ++n) {
    std::size_t children = 0, depth = 0;
    for (NodeId i = n + 1; i <= n + field(n).below; i = static_cast<NodeId>(i + 1 + field(i).below)) ++children;
    for (NodeId i = n; field(i).parent != no_node; i = field(i).parent) ++depth;
    EXPECT_LE(children, FieldList::max) << field(n).name;
    EXPECT_LT(depth + 1, FieldPlace::max_depth) << field(n).name;
  }
}

}  // namespace
}  // namespace kparse::test
