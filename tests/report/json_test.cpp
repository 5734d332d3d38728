// SPDX-License-Identifier: MIT
// The members that COMMAND's users rely on.
#include <string>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "report/report.h"
#include "support.h"

namespace kparse::report {
namespace {

rapidjson::Document document(const ReportData& data, const Cluster& cluster = Cluster(), const cli::Summary& summary = {}) {
  JsonWriter json;
  json.begin_object();
  write_report(json, Report(data, cluster, summary));
  json.end_object();
  rapidjson::Document d;
  d.Parse(json.view().data(), json.view().size());
  EXPECT_FALSE(d.HasParseError()) << json.view();
  return d;
}

TEST(ReportJson, NothingSeenHasNoNumbersButZero) {
  ReportObserver observer({});
  const auto d = document(observer.finish());
  for (const char* member : {"inputs", "apis", "topics", "clients", "brokers", "groups", "headers", "slowest", "errors", "tls"}) {
    ASSERT_TRUE(d.HasMember(member)) << member;
    EXPECT_TRUE(d[member].IsArray() && d[member].Empty()) << member;
  }
  for (const char* member :
       {"packets", "duplicatePackets", "conversations", "kafkaConversations", "tlsConversations", "tlsOpened", "requests", "responses", "matched", "unanswered",
        "orphanResponses", "undecoded", "unknown", "lostBytes", "resyncs", "oneWay", "batches", "records", "recordsProduced", "recordsFetched",
        "headers", "crcBad", "keyBytes", "valueBytes", "headerBytes", "compressedBytes", "uncompressedBytes"}) {
    ASSERT_TRUE(d["seen"].HasMember(member)) << member;
    EXPECT_EQ(d["seen"][member].GetUint64(), 0u) << member;
  }
  EXPECT_TRUE(d["seen"]["limits"].Empty());
}

TEST(ReportJson, LatencyOfNoAnswersIsNull) {
  ReportObserver observer({});
  Script script(observer);
  auto t = script.talk(1);
  script.request(t, {.key = 3, .version = 12, .client_id = "x"}, at(0, 1));
  const auto d = document(observer.finish());
  ASSERT_EQ(d["apis"].Size(), 1u);
  const auto& row = d["apis"][0];
  EXPECT_STREQ(row["api"].GetString(), "Metadata");
  EXPECT_EQ(row["versions"]["12"].GetInt(), 1);
  for (const char* p : {"p50", "p90", "p99", "max", "mean"}) EXPECT_TRUE(row["latencyMs"][p].IsNull()) << p;
  EXPECT_FALSE(row["longPoll"].GetBool());
}

TEST(ReportJson, TopicsHeadersErrorsAndClients) {
  ReportObserver observer({});
  Script script(observer);
  auto t = script.talk(1);
  const auto set = batch({{.key = "k", .value = "v", .headers = {{"content-type", "json"}, {"\x01", std::nullopt}}}});
  const Script::Call call{.key = 0, .version = 9, .client_id = "a\"b"};
  const std::uint64_t serial = script.request(t, call, at(0, 1), [&](Observer& o) {
    o.on_records({.via = Via::produce, .topic = {.name = "orders"}, .partition = 2, .records = bytes(set)});
  });
  script.response(t, call, serial, at(0, 1), at(1'500'000, 2),
                  [](Observer& o) { o.on_error({.code = 6, .node = no_node, .topic = {.name = "orders"}, .partition = 2, .group = {}}); });
  script.close(t);
  cli::Summary summary;
  summary.inputs.resize(1);
  summary.inputs[0].name = "a.pcap";
  const auto d = document(observer.finish(), Cluster(), summary);

  const auto& topic = d["topics"][0];
  EXPECT_STREQ(topic["topic"].GetString(), "orders");
  EXPECT_TRUE(topic["topicId"].IsNull());
  EXPECT_EQ(topic["produced"]["records"].GetInt(), 1);
  EXPECT_EQ(topic["produced"]["bytes"].GetUint64(), set.size());
  EXPECT_EQ(topic["fetched"]["records"].GetInt(), 0);
  EXPECT_EQ(topic["codecs"]["none"].GetInt(), 1);
  EXPECT_EQ(topic["headers"]["content-type"].GetInt(), 1);
  EXPECT_EQ(topic["headers"]["\x01"].GetInt(), 1);
  EXPECT_STREQ(topic["producers"][0]["clientId"].GetString(), "a\"b");
  EXPECT_STREQ(topic["producers"][0]["addresses"][0].GetString(), "10.0.0.1");

  ASSERT_EQ(d["headers"].Size(), 2u);
  const auto& plain = d["headers"][1];
  EXPECT_STREQ(plain["name"].GetString(), "content-type");
  EXPECT_STREQ(plain["kind"].GetString(), "content-type");
  EXPECT_STREQ(plain["topics"][0].GetString(), "orders");
  EXPECT_TRUE(d["headers"][0]["kind"].IsNull());
  EXPECT_EQ(d["headers"][0]["nulls"].GetInt(), 1);

  EXPECT_EQ(d["apis"][0]["errors"]["NOT_LEADER_OR_FOLLOWER"].GetInt(), 1);
  EXPECT_DOUBLE_EQ(d["apis"][0]["latencyMs"]["p50"].GetDouble(), 1.5);
  const auto& error = d["errors"][0];
  EXPECT_EQ(error["code"].GetInt(), 6);
  EXPECT_STREQ(error["topic"].GetString(), "orders");
  EXPECT_EQ(error["partition"].GetInt(), 2);
  EXPECT_TRUE(error["group"].IsNull());
  EXPECT_STREQ(error["firstCapture"].GetString(), "a.pcap");
  EXPECT_EQ(error["firstPacket"].GetInt(), 2);
  EXPECT_STREQ(d["slowest"][0]["capture"].GetString(), "a.pcap");
  EXPECT_EQ(d["slowest"][0]["packet"].GetInt(), 1);
  EXPECT_EQ(d["slowest"][0]["lastPacket"].GetInt(), 2);
  EXPECT_EQ(d["clients"][0]["apis"]["Produce"]["9"].GetInt(), 1);
  EXPECT_TRUE(d["clients"][0]["principal"].IsNull());
}

TEST(ReportJson, FullTablesAreSaid) {
  ReportObserver observer({});
  Script script(observer);
  auto t = script.talk(1);
  script.request(t, {.key = 3, .version = 12, .client_id = "x"}, at(0, 1), [](Observer& o) {
    for (int i = 0; i < 20'000; ++i) o.on_group({.group = "g" + std::to_string(i), .member = {}});
  });
  const auto d = document(observer.finish());
  EXPECT_EQ(d["groups"].Size(), 10'000u);
  ASSERT_EQ(d["seen"]["limits"].Size(), 1u);
  EXPECT_STREQ(d["seen"]["limits"][0]["name"].GetString(), "groups");
  EXPECT_EQ(d["seen"]["limits"][0]["limit"].GetUint64(), 10'000u);
  EXPECT_EQ(d["seen"]["limits"][0]["leftOut"].GetUint64(), 10'000u);
  EXPECT_STREQ(d["seen"]["limits"][0]["of"].GetString(), "rows");
}

TEST(ReportJson, ATableThatTakesNoLongNamesIsNotFull) {
  ReportObserver observer({});
  Script script(observer);
  auto t = script.talk(1);
  const std::string long_name(5000, 'x');
  script.request(t, {.key = 3, .version = 12, .client_id = long_name}, at(0, 1), [](Observer&) {});
  const auto d = document(observer.finish());
  EXPECT_EQ(d["clients"].Size(), 0u);
  ASSERT_EQ(d["seen"]["limits"].Size(), 1u);
  EXPECT_STREQ(d["seen"]["limits"][0]["name"].GetString(), "clients");
  EXPECT_EQ(d["seen"]["limits"][0]["limit"].GetUint64(), 4096u);
  EXPECT_EQ(d["seen"]["limits"][0]["leftOut"].GetUint64(), 1u);
  EXPECT_STREQ(d["seen"]["limits"][0]["of"].GetString(), "bytes of a name");
}

}  // namespace
}  // namespace kparse::report
