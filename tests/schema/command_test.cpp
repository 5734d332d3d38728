// SPDX-License-Identifier: MIT
// `kparse schema`: what scripts read, and what people mean by a name.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <set>

#include "commands/schema_about.h"
#include "commands/schema_find.h"
#include "commands/schema_json.h"

namespace kparse::cli {
namespace {

using Json = rapidjson::Value;

rapidjson::Document parsed(const std::string& text) {
  rapidjson::Document doc;
  doc.Parse(text.c_str());
  EXPECT_FALSE(doc.HasParseError()) << text.substr(0, 200);
  EXPECT_EQ(doc["schemaVersion"].GetInt(), 1);
  return doc;
}

const Json& named(const Json& list, const char* name) {
  for (const Json& x : list.GetArray())
    if (std::string_view(x["name"].GetString()) == name) return x;
  ADD_FAILURE() << "no " << name;
  return list[0];
}

TEST(SchemaCommand, ApiTable) {
  const auto doc = parsed(api_table_json());
  EXPECT_STREQ(doc["release"].GetString(), "4.4");
  ASSERT_EQ(doc["apis"].Size(), 95u);
  const Json& fetch = doc["apis"][1];
  EXPECT_EQ(fetch["apiKey"].GetInt(), 1);
  EXPECT_STREQ(fetch["api"].GetString(), "Fetch");
  EXPECT_STREQ(fetch["current"].GetString(), "4-18");
  EXPECT_STREQ(fetch["ever"].GetString(), "0-18");
  EXPECT_STREQ(fetch["versions"]["0.8.0"].GetString(), "0");
  EXPECT_STREQ(fetch["versions"]["3.9.2-rc0"].GetString(), "0-17");
  EXPECT_EQ(fetch["flexibleFrom"].GetInt(), 12);
  ASSERT_EQ(fetch["listeners"].Size(), 2u);
  EXPECT_STREQ(fetch["listeners"][1].GetString(), "controller");
  const Json& leader = doc["apis"][4];
  EXPECT_TRUE(leader["current"].IsNull());
  EXPECT_FALSE(leader["versions"].HasMember("4.0.1"));
  EXPECT_TRUE(doc["apis"][17]["flexibleFrom"].IsNull());
  EXPECT_STREQ(doc["apis"][22]["unstableVersions"]["4.4"].GetString(), "6");
}

TEST(SchemaCommand, FieldsAsATree) {
  const auto doc = parsed(message_json(*find_message("FetchRequest"), {}));
  EXPECT_STREQ(doc["name"].GetString(), "FetchRequest");
  EXPECT_EQ(doc["apiKey"].GetInt(), 1);
  EXPECT_STREQ(doc["versions"].GetString(), "0-18");
  const Json& cluster = named(doc["fields"], "clusterId");
  EXPECT_STREQ(cluster["type"].GetString(), "string");
  EXPECT_STREQ(cluster["versions"].GetString(), "12-18");
  EXPECT_STREQ(cluster["nullable"].GetString(), "12-18");
  EXPECT_EQ(cluster["tag"].GetInt(), 0);
  EXPECT_TRUE(cluster["default"].IsNull());
  const Json& topics = named(doc["fields"], "topics");
  EXPECT_STREQ(topics["type"].GetString(), "[]struct");
  EXPECT_TRUE(topics["nullable"].IsNull());
  EXPECT_TRUE(topics["tag"].IsNull());
  const Json& partition = named(named(topics["fields"], "partitions")["fields"], "highWatermark");
  EXPECT_EQ(partition["default"].GetInt64(), 9223372036854775807LL);
  EXPECT_STREQ(partition["about"].GetString(), "offset up to which records are committed");
  EXPECT_EQ(named(doc["fields"], "maxBytes")["default"].GetInt(), 2147483647);
  EXPECT_STREQ(named(doc["fields"], "isolationLevel")["values"]["1"].GetString(), "READ_COMMITTED");
}

TEST(SchemaCommand, OneVersionInWireOrder) {
  const auto names = [](int version) {
    std::vector<std::string_view> out;
    for (const NodeId n : children(find_message("FetchRequest")->root, version)) out.push_back(field(n).name);
    return out;
  };
  EXPECT_EQ(names(0), (std::vector<std::string_view>{"replicaId", "maxWaitMs", "minBytes", "topics"}));
  EXPECT_EQ(names(17), (std::vector<std::string_view>{"maxWaitMs", "minBytes", "maxBytes", "isolationLevel",
                                                      "sessionId", "sessionEpoch", "topics", "forgottenTopicsData",
                                                      "rackId", "clusterId", "replicaState"}));
  const auto doc = parsed(message_json(*find_message("ApiVersionsResponse"), 3));
  EXPECT_EQ(doc["version"].GetInt(), 3);
  EXPECT_EQ(doc["headerVersion"].GetInt(), 0);
}

TEST(SchemaCommand, ApiHasBothMessages) {
  const auto doc = parsed(api_json(*find_api(54), {}));
  EXPECT_STREQ(doc["request"]["name"].GetString(), "EndQuorumEpochRequest");
  EXPECT_STREQ(doc["response"]["name"].GetString(), "EndQuorumEpochResponse");
  ASSERT_EQ(doc["request"]["alternatives"].Size(), 1u);
  EXPECT_STREQ(doc["request"]["alternatives"][0]["lastRelease"].GetString(), "2.7.2");
}

TEST(SchemaCommand, EveryMessageIsValidJson) {
  for (const Message& m : messages()) {
    const auto doc = parsed(message_json(m, {}));
    EXPECT_EQ(doc["fields"].Size(), children(m.root, {}).size());
    parsed(message_json(m, m.versions.hi));
  }
}

TEST(SchemaCommand, Names) {
  EXPECT_EQ(find_in_schema("Fetch").api, find_api(1));
  EXPECT_EQ(find_in_schema("fetch").api, find_api(1));
  EXPECT_EQ(find_in_schema("1").api, find_api(1));
  EXPECT_EQ(find_in_schema("alterisr").api, find_api(56));
  EXPECT_EQ(find_in_schema("fetchrequest").message, find_message("FetchRequest"));
  EXPECT_EQ(find_in_schema("OFFSETCOMMITKEY").message, find_message("OffsetCommitKey"));
  const Found typo = find_in_schema("Metdata");
  EXPECT_EQ(typo.api, nullptr);
  EXPECT_EQ(typo.message, nullptr);
  EXPECT_EQ(typo.nearest, "Metadata");
  EXPECT_EQ(find_in_schema("FetchReqest").nearest, "FetchRequest");
  EXPECT_EQ(find_in_schema("completelyunlikeanything").nearest, "");
  EXPECT_EQ(find_in_schema("4711").api, nullptr);
  EXPECT_EQ(find_in_schema("").nearest, "");
}

TEST(SchemaCommand, AboutIsThereForWhatPeopleAsk) {
  std::size_t said = 0;
  for (const Field& f : fields()) said += !about(f).empty();
  EXPECT_GT(said, fields().size() / 3);
  EXPECT_EQ(about(field(find_message("FetchRequest")->root)), "");
  Field records{};
  records.name = "records";
  EXPECT_FALSE(about(records).empty());
  records.name = "validateOnly";  // last in the sorted list
  EXPECT_FALSE(about(records).empty());
  records.name = "abortedTransactions";  // first
  EXPECT_FALSE(about(records).empty());
}

}  // namespace
}  // namespace kparse::cli
