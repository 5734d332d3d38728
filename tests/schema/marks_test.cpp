// SPDX-License-Identifier: MIT
// What other parts rely on: a mark means what it says, and no secret is left unmarked.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "kparse/node.h"
#include "kparse/schema.h"

namespace kparse {
namespace {

TEST(Marks, ErrorCodesAreAllMarked) {
  for (NodeId n = 0; n < fields().size(); ++n) {
    const Field& f = field(n);
    const bool error_code = f.type == Type::int16 && (f.name == "errorCode" || f.name.ends_with("ErrorCode"));
    EXPECT_EQ(f.mark == Mark::error, error_code) << f.name;
  }
}

TEST(Marks, TypesFit) {
  const std::map<Mark, std::set<Type>> types{{Mark::topic, {Type::string}},
                                             {Mark::topic_id, {Type::uuid}},
                                             {Mark::partition, {Type::int32}},
                                             {Mark::group, {Type::string}},
                                             {Mark::member, {Type::string}},
                                             {Mark::generation, {Type::int32}},
                                             {Mark::throttle, {Type::int32}},
                                             {Mark::acks, {Type::int16}},
                                             {Mark::transactional_id, {Type::string}},
                                             {Mark::producer_id, {Type::int64}},
                                             {Mark::producer_epoch, {Type::int16}},
                                             {Mark::offset, {Type::int64}},
                                             {Mark::broker_id, {Type::int32}},
                                             {Mark::host, {Type::string}},
                                             {Mark::port, {Type::int32, Type::uint16}},
                                             {Mark::auth_bytes, {Type::bytes}},
                                             {Mark::metadata, {Type::bytes}},
                                             {Mark::assignment, {Type::bytes}},
                                             {Mark::config_name, {Type::string}},
                                             {Mark::config_value, {Type::string}},
                                             {Mark::config_sensitive, {Type::boolean}},
                                             {Mark::cluster_id, {Type::string}},
                                             {Mark::session_id, {Type::int32}}};
  for (NodeId n = 0; n < fields().size(); ++n) {
    const auto known = types.find(field(n).mark);
    if (known != types.end()) {
      EXPECT_TRUE(known->second.count(field(n).type)) << n << ' ' << field(n).name;
    }
  }
}

TEST(Marks, WhereOthersLookForThem) {
  EXPECT_EQ(field(node::produce_request::acks).mark, Mark::acks);
  EXPECT_EQ(field(node::produce_request::topic_data::name).mark, Mark::topic);
  EXPECT_EQ(field(node::produce_request::topic_data::partition_data::index).mark, Mark::partition);
  EXPECT_EQ(field(node::produce_response::responses::partition_responses::base_offset).mark, Mark::offset);
  EXPECT_EQ(field(node::metadata_response::brokers::node_id).mark, Mark::broker_id);
  EXPECT_EQ(field(node::metadata_response::brokers::host).mark, Mark::host);
  EXPECT_EQ(field(node::metadata_response::brokers::port).mark, Mark::port);
  EXPECT_EQ(field(node::metadata_response::topics::name).mark, Mark::topic);
  EXPECT_EQ(field(node::metadata_response::topics::topic_id).mark, Mark::topic_id);
  EXPECT_EQ(field(node::find_coordinator_response::coordinators::node_id).mark, Mark::broker_id);
  EXPECT_EQ(field(node::find_coordinator_response::node_id).mark, Mark::broker_id);
  EXPECT_EQ(field(node::fetch_response::node_endpoints::host).mark, Mark::host);
  EXPECT_EQ(field(node::api_versions_request::client_software_name).mark, Mark::software_name);
  EXPECT_EQ(field(node::join_group_request::protocols::metadata).mark, Mark::metadata);
  EXPECT_EQ(field(node::join_group_request::protocols::name).mark, Mark::protocol_name);
  EXPECT_EQ(field(node::sync_group_request::assignments::assignment).mark, Mark::assignment);
  EXPECT_EQ(field(node::offset_commit_request::group_id).mark, Mark::group);
  EXPECT_EQ(field(node::delete_topics_request::topic_names).mark, Mark::topic);
  EXPECT_EQ(field(node::consumer_protocol_subscription::topics).mark, Mark::topic);
  EXPECT_EQ(field(node::request_header::client_id).mark, Mark::client_id);
  EXPECT_EQ(field(node::streams_group_heartbeat_request::user_endpoint::host).mark, Mark::none);  // no broker's
}

TEST(Marks, Secrets) {
  std::set<std::string> found;
  for (const Message& m : messages())
    for (NodeId n = m.root + 1; n <= m.root + field(m.root).below; ++n)
      if (field(n).secret) found.insert(std::string(m.name) + "." + std::string(field(n).name));
  const std::set<std::string> expected{
      "SaslAuthenticateRequest.authBytes",     "SaslAuthenticateResponse.authBytes",
      "CreateDelegationTokenResponse.hmac",    "RenewDelegationTokenRequest.hmac",
      "ExpireDelegationTokenRequest.hmac",     "DescribeDelegationTokenResponse.hmac",
      "AlterUserScramCredentialsRequest.salt", "AlterUserScramCredentialsRequest.saltedPassword",
      "UserScramCredentialRecord.salt",        "UserScramCredentialRecord.storedKey",
      "UserScramCredentialRecord.serverKey"};
  EXPECT_EQ(found, expected);
}

TEST(Marks, ConfigValuesStandBesideTheirName) {
  std::set<std::string_view> found;
  for (const Message& m : messages())
    for (NodeId n = m.root + 1; n <= m.root + field(m.root).below; ++n) {
      if (field(n).mark != Mark::config_value) continue;
      found.insert(m.name);
      bool name = false;
      const NodeId parent = field(n).parent;
      for (NodeId c = parent + 1; c <= parent + field(parent).below; ++c)
        name = name || (field(c).parent == parent && field(c).mark == Mark::config_name);
      EXPECT_TRUE(name) << m.name;
    }
  const std::set<std::string_view> expected{
      "CreateTopicsRequest", "CreateTopicsResponse",           "DescribeConfigsResponse",
      "AlterConfigsRequest", "IncrementalAlterConfigsRequest", "ConfigRecord"};
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace kparse
