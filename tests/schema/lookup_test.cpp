// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <set>

#include "kparse/enums.h"
#include "kparse/node.h"
#include "kparse/schema.h"
#include "tsv.h"

namespace kparse {
namespace {

TEST(Lookup, Messages) {
  EXPECT_EQ(messages().size(), 291u);
  std::set<std::string_view> names;
  for (const Message& m : messages()) {
    EXPECT_EQ(find_message(m.name), &m) << m.name;
    names.insert(m.name);
  }
  EXPECT_EQ(names.size(), messages().size());
  EXPECT_EQ(find_message(""), nullptr);
  EXPECT_EQ(find_message("Fetch"), nullptr);
  EXPECT_EQ(find_message("fetchRequest"), nullptr);
  EXPECT_EQ(find_message("ZZZ"), nullptr);
}

TEST(Lookup, MessagesByKind) {
  const auto name = [](Kind kind, int key, std::string_view area = {}) {
    const Message* m = find_message(kind, key, area);
    return m ? m->name : std::string_view("-");
  };
  EXPECT_EQ(name(Kind::request, 1), "FetchRequest");
  EXPECT_EQ(name(Kind::response, 18), "ApiVersionsResponse");
  EXPECT_EQ(name(Kind::request, 500), "-");
  EXPECT_EQ(name(Kind::request, -1), "-");
  EXPECT_EQ(name(Kind::coordinator_key, 1, "group-coordinator"), "OffsetCommitKey");
  EXPECT_EQ(name(Kind::coordinator_value, 23, "group-coordinator"), "StreamsGroupTopologyValue");
  EXPECT_EQ(name(Kind::coordinator_key, 9, "group-coordinator"), "ShareGroupPartitionMetadataKey");
  EXPECT_EQ(name(Kind::coordinator_value, 9, "group-coordinator"), "ShareGroupPartitionMetadataValue");
  EXPECT_EQ(name(Kind::coordinator_key, 18, "group-coordinator"), "-");
  EXPECT_EQ(name(Kind::coordinator_value, 1, "share-coordinator"), "ShareUpdateValue");
  EXPECT_EQ(name(Kind::coordinator_key, 0, "transaction-coordinator"), "TransactionLogKey");
  EXPECT_EQ(name(Kind::metadata, 2, "metadata"), "TopicRecord");
  EXPECT_EQ(name(Kind::metadata, 29, "metadata"), "UnregisterControllerRecord");
  EXPECT_EQ(name(Kind::metadata, 13, "metadata"), "-");
  EXPECT_EQ(name(Kind::metadata, 3, "storage"), "RemoteLogSegmentMetadataSnapshotRecord");
  EXPECT_EQ(name(Kind::metadata, 0), "-");  // the area is needed
}

TEST(Lookup, Apis) {
  EXPECT_EQ(apis().size(), 95u);
  for (const Api& api : apis()) {
    EXPECT_EQ(find_api(api.key), &api);
    EXPECT_EQ(find_api(api.name), &api);
    EXPECT_EQ(api.request->name, std::string(api.name) + "Request");
    EXPECT_EQ(api.response->name, std::string(api.name) + "Response");
    EXPECT_EQ(api.request->api_key, api.key);
    EXPECT_FALSE(api.listeners.empty()) << api.name;
  }
  EXPECT_EQ(find_api(-1), nullptr);
  EXPECT_EQ(find_api(95), nullptr);
  EXPECT_EQ(find_api(32767), nullptr);
  ASSERT_NE(find_api("AlterIsr"), nullptr);
  EXPECT_EQ(find_api("AlterIsr")->name, "AlterPartition");
  EXPECT_EQ(find_api(1)->listeners, "broker,controller");
  EXPECT_EQ(find_api(4)->listeners, "zkBroker");
}

TEST(Lookup, HeaderVersionsAsKafkasOwnClassesSay) {
  const auto rows = test::read_tsv("header-versions.tsv");
  ASSERT_GT(rows.size(), 700u);
  for (const auto& row : rows) {
    const Api* api = find_api(std::stoi(row[0]));
    ASSERT_NE(api, nullptr) << row[0];
    const int version = std::stoi(row[2]);
    const int header =
        row[1] == "request" ? request_header_version(*api, version) : response_header_version(*api, version);
    EXPECT_EQ(header, std::stoi(row[3])) << api->name << ' ' << row[1] << ' ' << version;
  }
  EXPECT_EQ(request_header_version(*find_api(7), 0), 0);  // Kafka up to 3.x
  EXPECT_EQ(request_header_version(*find_api(7), 1), 1);
}

TEST(Lookup, Errors) {
  const auto rows = test::read_tsv("errors.tsv");
  ASSERT_EQ(rows.size(), 138u);
  ASSERT_EQ(errors().size(), rows.size());
  for (const auto& row : rows) {
    const int code = std::stoi(row[0]);
    EXPECT_EQ(error_name(code), row[1]);
    const ErrorName& e = errors()[static_cast<std::size_t>(code + 1)];
    EXPECT_EQ(e.code, code);
    EXPECT_EQ(e.retriable, row[2] == "yes") << row[1];
    EXPECT_EQ(e.first_release, row[3]) << row[1];
  }
  EXPECT_EQ(error_name(-2), "");
  EXPECT_EQ(error_name(137), "");
  EXPECT_EQ(errors()[7].former_names, "NOT_LEADER_FOR_PARTITION(0.8.1.1..2.5.1)");
}

TEST(Lookup, Enumerations) {
  const Enumeration* isolation = enumeration_of(node::fetch_request::isolation_level);
  ASSERT_NE(isolation, nullptr);
  EXPECT_EQ(isolation->name, "IsolationLevel");
  EXPECT_EQ(value_name(*isolation, 1), "READ_COMMITTED");
  EXPECT_EQ(value_name(*isolation, 2), "");
  EXPECT_EQ(enumeration_of(node::fetch_request::max_bytes), nullptr);
  EXPECT_EQ(enumeration_of(no_node), nullptr);
  const Enumeration* resource = find_enumeration("ConfigResourceType");
  ASSERT_NE(resource, nullptr);
  EXPECT_EQ(value_name(*resource, 32), "GROUP");
  EXPECT_EQ(enumeration_of(node::describe_configs_request::resources::resource_type), resource);
  EXPECT_EQ(find_enumeration("Nope"), nullptr);
}

}  // namespace
}  // namespace kparse
