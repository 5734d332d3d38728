// SPDX-License-Identifier: MIT
// What a bytes field holds, told field by field.
#include <gtest/gtest.h>

#include "kparse/payload.h"

namespace kparse::test {
namespace {

const Field& find(const Message& m, std::string_view path) {
  char text[256];
  for (int n = m.root + 1; n <= m.root + field(m.root).below; ++n)
    if (path_of(static_cast<NodeId>(n), text) == path) return field(static_cast<NodeId>(n));
  ADD_FAILURE() << path;
  return field(m.root);
}

TEST(Guide, GroupProtocols) {
  const Message& m = *find_message("JoinGroupRequest");
  const Field &type = find(m, "protocolType"), &metadata = find(m, "protocols.metadata");
  PayloadGuide guide(m, {});
  EXPECT_EQ(guide.kind_of(metadata), PayloadKind::consumer_subscription);
  EXPECT_TRUE(guide.guessed());
  guide.string(type, "connect");
  EXPECT_EQ(guide.kind_of(metadata), PayloadKind::connect_metadata);
  EXPECT_FALSE(guide.guessed());
  guide.string(type, "sr");
  EXPECT_EQ(guide.kind_of(metadata), PayloadKind::none);
  guide.string(type, "consumer");
  EXPECT_EQ(guide.kind_of(metadata), PayloadKind::consumer_subscription);
}

TEST(Guide, UserDataByAssignor) {
  const Message& m = *find_message("ConsumerProtocolSubscription");
  const Field& data = find(m, "userData");
  EXPECT_EQ(PayloadGuide(m, {.protocol_name = "sticky"}).kind_of(data), PayloadKind::sticky_user_data);
  EXPECT_EQ(PayloadGuide(m, {.protocol_name = "stream"}).kind_of(data), PayloadKind::streams_subscription);
  EXPECT_EQ(PayloadGuide(m, {.protocol_name = "range"}).kind_of(data), PayloadKind::none);
}

TEST(Guide, TopicOfRecords) {
  const Message& m = *find_message("FetchResponse");
  BodyContext context;
  context.topic_name = [](const void*, const std::uint8_t* id) noexcept -> std::string_view {
    return id[0] == 7 ? "orders" : "";
  };
  PayloadGuide guide(m, context);
  EXPECT_EQ(guide.topic(), "");
  guide.string(find(m, "responses.topic"), "clicks");
  EXPECT_EQ(guide.topic(), "clicks");
  const std::uint8_t id[16] = {7}, metadata[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  guide.uuid(find(m, "responses.topicId"), id);
  EXPECT_EQ(guide.topic(), "orders");
  guide.uuid(find(m, "responses.topicId"), metadata);  // KIP-516
  EXPECT_EQ(guide.topic(), "__cluster_metadata");
}

TEST(Guide, SlicesOfSnapshots) {
  const Message& m = *find_message("FetchSnapshotResponse");
  const Field& position = find(m, "topics.partitions.position");
  PayloadGuide guide(m, {});
  guide.integer(position, 0);
  EXPECT_TRUE(guide.whole_records());
  EXPECT_EQ(guide.topic(), "__cluster_metadata");
  guide.integer(position, 8192);
  EXPECT_FALSE(guide.whole_records());
}

TEST(Guide, DecodesAndSaysWhatIsSecret) {
  const Message& m = *find_message("EnvelopeRequest");
  const Field& data = find(m, "requestData");
  PayloadGuide guide(m, {});
  EXPECT_EQ(guide.kind_of(data), PayloadKind::inner_request);
  JsonDump dump({});
  JsonWriter json;
  // DeleteTopics v1: header v1 with client id "c", topic "t", timeout 100.
  const std::uint8_t request[] = {0, 20, 0, 1, 0, 0, 0, 5, 0, 1, 'c', 0, 0, 0, 1, 0, 1, 't', 0, 0, 0, 100};
  const PayloadDecoded whole = decode_payload(dump, json, guide, data, request);
  EXPECT_TRUE(whole.done);
  EXPECT_FALSE(whole.secret);
  EXPECT_NE(json.view().find(R"("topicNames":["t"])"), std::string_view::npos) << json.view();
  EXPECT_EQ(guide.inner_api_key(), 20);
  EXPECT_EQ(guide.inner_version(), 1);
  // What can't be read to its end may be one.
  EXPECT_TRUE(decode_payload(dump, json, guide, data, Bytes(request).first(16)).secret);
}

}  // namespace
}  // namespace kparse::test
