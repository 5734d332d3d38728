// SPDX-License-Identifier: MIT
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "support.h"

namespace kparse::report {
namespace {

constexpr std::int16_t produce = 0, fetch = 1, metadata = 3, join_group = 11, api_versions = 18;
const std::uint8_t id[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

const ApiRow& api(const ReportData& d, std::int16_t key) {
  for (const ApiRow* row : d.apis.sorted()) {
    if (row->key == key) return *row;
  }
  static const ApiRow none;
  return none;
}

TEST(ReportObserver, CountsCallsVersionsBytesAndLatency) {
  ReportObserver observer({});
  Script script(observer);
  auto a = script.talk(1);
  for (int i = 0; i < 9; ++i) script.exchange(a, {.key = metadata, .version = 12, .client_id = "x", .size = 30}, i * 10 * ms, 1, (i + 1) * ms);
  script.exchange(a, {.key = metadata, .version = 13, .client_id = "x", .size = 50}, 0, 1, 100 * ms);
  script.request(a, {.key = metadata, .version = 13, .client_id = "x", .size = 10}, at(0, 9));
  script.close(a);
  const ReportData d = observer.finish();
  const ApiRow& row = api(d, metadata);
  EXPECT_EQ(row.requests, 11u);
  EXPECT_EQ(row.responses, 10u);
  EXPECT_EQ(row.unanswered(), 1u);
  EXPECT_EQ(row.request_bytes, 9u * 34 + 54 + 14);
  EXPECT_EQ(row.versions.at(12), 9u);
  EXPECT_EQ(row.versions.at(13), 2u);
  EXPECT_EQ(row.latency.percentile(50), 5 * ms);
  EXPECT_EQ(row.latency.percentile(90), 9 * ms);
  EXPECT_EQ(row.latency.percentile(99), 100 * ms);
  EXPECT_DOUBLE_EQ(row.latency.mean(), 14.5 * ms);
  EXPECT_EQ(d.seen.unanswered(), 1u);
}

TEST(ReportObserver, AcksZeroIsNotUnansweredAndSilenceIsOneWay) {
  ReportObserver observer({});
  Script script(observer);
  auto a = script.talk(1);
  script.request(a, {.key = produce, .version = 9, .client_id = "x", .answer = false}, at(0, 1));
  script.close(a);
  const ReportData d = observer.finish();
  EXPECT_EQ(d.seen.requests, 1u);
  EXPECT_EQ(d.seen.unanswered(), 0u);
  EXPECT_EQ(d.seen.one_way, 1u);
  EXPECT_EQ(d.seen.kafka_conversations, 1u);
}

TEST(ReportObserver, LongPollsAreKeptApart) {
  ReportObserver observer({});
  Script script(observer);
  auto a = script.talk(1);
  const Script::Call call{.key = fetch, .version = 12, .client_id = "x"};
  const auto poll = [&](std::int64_t latency, bool data) {
    const std::uint64_t serial = script.request(a, call, at(0, 1));
    script.response(a, call, serial, at(0, 1), at(latency, 2), [&](Observer& o) { o.on_long_poll(500, data); });
  };
  for (int i = 0; i < 5; ++i) poll(502 * ms, false);
  poll(3 * ms, true);
  poll(2 * ms, false);     // empty, but at once: the broker had an error to tell, or no wait was asked for
  poll(500 * ms, true);    // data at the very end: that is an answer
  const ReportData d = observer.finish();
  const ApiRow& row = api(d, fetch);
  EXPECT_EQ(row.long_polls, 5u);
  EXPECT_EQ(row.latency.count(), 8u);
  EXPECT_EQ(row.latency.max(), 502 * ms);
  EXPECT_EQ(row.own_latency.count(), 3u);
  EXPECT_EQ(row.own_latency.percentile(50), 3 * ms);
  EXPECT_TRUE(d.slowest.rows().empty()) << "waiting for data as long as asked isn't slow";
}

TEST(ReportObserver, SlowestAreByLatencyThenByTime) {
  ReportObserver observer({});
  Script script(observer);
  auto a = script.talk(1);
  for (int i = 0; i < 100; ++i) {
    script.exchange(a, {.key = metadata, .version = 12, .client_id = "x"}, i * ms, 1 + static_cast<std::uint64_t>(i) * 2, (i % 10) * ms);
  }
  const ReportData d = observer.finish();
  const auto& rows = d.slowest.rows();
  ASSERT_EQ(rows.size(), Slowest::limit);
  EXPECT_EQ(rows[0].latency_ns, 9 * ms);
  EXPECT_EQ(rows[0].request.packet, 19u);    // the first of the ten that took 9 ms
  EXPECT_EQ(rows[9].request.packet, 199u);
  EXPECT_EQ(rows[10].latency_ns, 8 * ms);
  EXPECT_EQ(rows[0].client.id, "x");
}

TEST(ReportObserver, ErrorsKeepTheirFirstPlaceAndClient) {
  ReportObserver observer({});
  Script script(observer);
  auto a = script.talk(1), b = script.talk(2);
  const auto fail = [&](Script::Talk& t, const char* client, std::int64_t when, std::uint64_t packet, std::int32_t partition) {
    const Script::Call call{.key = produce, .version = 9, .client_id = client};
    const std::uint64_t serial = script.request(t, call, at(when, packet));
    script.response(t, call, serial, at(when, packet), at(when + ms, packet + 1),
                    [&](Observer& o) { o.on_error({.code = 6, .node = no_node, .topic = {.name = "orders"}, .partition = partition, .group = {}}); });
  };
  fail(a, "late", 50 * ms, 60, 2);
  fail(b, "early", 10 * ms, 20, 2);
  fail(b, "early", 70 * ms, 80, 0);
  const ReportData d = observer.finish();
  const Cluster cluster;
  const auto rows = named_errors(d.errors, cluster);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].topic.name, "orders");
  EXPECT_EQ(rows[0].row.partition, 2);
  EXPECT_EQ(rows[0].row.count, 2u);
  EXPECT_EQ(rows[0].row.first.packet, 21u);
  EXPECT_EQ(rows[0].row.first_client.id, "early");
  EXPECT_EQ(rows[1].row.partition, 0);
  EXPECT_EQ(api(d, produce).errors.at(6), 3u);
  EXPECT_EQ(api(d, produce).failed, 3u);
}

TEST(ReportObserver, AClientIsItsIdSoftwareAndPrincipal) {
  ReportObserver observer({});
  Script script(observer);
  auto a = script.talk(1), b = script.talk(2), c = script.talk(3);
  for (auto* t : {&a, &b}) {
    script.request(*t, {.key = api_versions, .version = 0, .client_id = "app"}, at(0, 1));
    script.request(*t, {.key = 36, .version = 2, .client_id = "app"}, at(0, 2), [](Observer& o) { o.on_principal({.mechanism = "PLAIN", .user = "alice"}); });
    script.request(*t, {.key = api_versions, .version = 4, .client_id = "app"}, at(0, 3),
                   [](Observer& o) { o.on_client_software({.name = "librdkafka", .version = "2.3.0"}); });
  }
  script.request(c, {.key = api_versions, .version = 3, .client_id = "app"}, at(0, 4),
                 [](Observer& o) { o.on_client_software({.name = "kgo", .version = "1.15"}); });
  script.request(c, {.key = metadata, .version = 12, .client_id = "other"}, at(0, 5));
  for (auto* t : {&a, &b, &c}) script.close(*t);
  const ReportData d = observer.finish();
  std::map<std::string, const ClientRow*> rows;
  for (const auto* slot : d.clients.sorted()) rows[slot->row.identity.name.id + "/" + slot->row.identity.software] = &slot->row;
  ASSERT_EQ(rows.size(), 3u);
  const ClientRow& app = *rows.at("app/librdkafka");
  EXPECT_EQ(app.connections, 2u);
  EXPECT_EQ(app.identity.principal, "alice");
  EXPECT_EQ(app.identity.software_version, "2.3.0");
  EXPECT_EQ(app.hosts.items().size(), 2u);
  EXPECT_EQ(app.calls.by_api().at(api_versions).at(0), 2u);
  EXPECT_EQ(app.calls.by_api().at(api_versions).at(4), 2u);
  EXPECT_FALSE(rows.at("app/kgo")->identity.authenticated);
  EXPECT_EQ(rows.at("other/")->connections, 1u);
}

// An answer doesn't say whose it is: the request with its serial does.
TEST(ReportObserver, AnswersBelongToTheClientThatAsked) {
  ReportObserver observer({});
  Script script(observer);
  auto a = script.talk(1);
  const Script::Call one{.key = fetch, .version = 12, .client_id = "one"}, two{.key = fetch, .version = 12, .client_id = "two"};
  const std::uint64_t first = script.request(a, one, at(0, 1)), second = script.request(a, two, at(0, 2));
  script.response(a, one, first, at(0, 1), at(ms, 3), [](Observer& o) { o.on_partition({.topic = {.name = "t1"}, .partition = 0}); });
  script.response(a, two, second, at(0, 2), at(ms, 4), [](Observer& o) { o.on_partition({.topic = {.name = "t2"}, .partition = 7}); });
  const ReportData d = observer.finish();
  const Cluster cluster;
  const auto topics = named_topics(d.topics, cluster);
  ASSERT_EQ(topics.size(), 2u);
  EXPECT_EQ(topics[0].row.fetched.clients.items().begin()->first.id, "one");
  EXPECT_EQ(topics[1].row.fetched.clients.items().begin()->first.id, "two");
  EXPECT_EQ(topics[1].row.partitions.count(), 1u);
}

TEST(ReportObserver, LostBytesCountInKafkaConversationsOnly) {
  ReportObserver observer({});
  Script script(observer);
  auto kafka = script.talk(1), other = script.talk(2);
  observer.on_gap(kafka.info, {.from = Side::client, .offset = 0, .bytes = 100, .at = at(0, 1), .cut = true});
  script.exchange(kafka, {.key = metadata, .version = 12, .client_id = "x"}, 0, 2, ms);
  observer.on_gap(kafka.info, {.from = Side::server, .offset = 9, .bytes = 11, .at = at(0, 5), .cut = false});
  observer.on_gap(other.info, {.from = Side::client, .offset = 0, .bytes = 5000, .at = at(0, 1), .cut = false});
  observer.on_other(other.info, Side::client, "TLS", at(0, 1));
  script.close(kafka);
  script.close(other);
  auto third = script.talk(3);
  script.close(third);
  const ReportData d = observer.finish();
  EXPECT_EQ(d.seen.lost_bytes, 111u);
  EXPECT_EQ(d.seen.cut_bytes, 100u);
  EXPECT_EQ(d.seen.lossy_conversations, 1u);
  EXPECT_EQ(d.seen.conversations, 3u);
  EXPECT_EQ(d.seen.kafka_conversations, 1u);
  EXPECT_EQ(d.seen.others.at("TLS"), 1u);
}

TEST(ReportObserver, RowsByIdAndByNameAreOneTopicHoweverLateTheNameCame) {
  ReportObserver observer({});
  Script script(observer);
  auto a = script.talk(1);
  const std::vector<std::uint8_t> set = batch({{.key = "k", .value = "v", .headers = {{"h", "1"}}}});
  script.request(a, {.key = produce, .version = 9, .client_id = "x"}, at(0, 1),
                 [&](Observer& o) { o.on_records({.via = Via::produce, .topic = {.name = "orders"}, .partition = 0, .records = bytes(set)}); });
  const auto by_id = [&](Observer& o) { o.on_records({.via = Via::produce, .topic = {.name = {}, .id = id}, .partition = 1, .records = bytes(set)}); };
  script.request(a, {.key = produce, .version = 13, .client_id = "x"}, at(0, 2), by_id);
  const ReportData d = observer.finish();

  Cluster cluster;
  EXPECT_EQ(named_topics(d.topics, cluster).size(), 2u);
  cluster.learn_topic(id, "orders");
  const auto topics = named_topics(d.topics, cluster);
  ASSERT_EQ(topics.size(), 1u);
  EXPECT_EQ(topics[0].label.name, "orders");
  EXPECT_EQ(topics[0].label.id, "AQIDBAUGBwgJCgsMDQ4PEA");   // Base64 of the bytes 1 to 16, as Kafka's Uuid prints it
  EXPECT_EQ(topics[0].row.produced.records, 2u);
  EXPECT_EQ(topics[0].row.partitions.count(), 2u);
  const auto headers = headers_by_topic(d.headers, cluster);
  ASSERT_EQ(headers.size(), 1u);
  EXPECT_EQ(headers.at("orders").at(0).count, 2u);
}

// The same conversations, on one thread or on two.
TEST(ReportObserver, MergedIsTheSameAsOne) {
  const std::vector<std::uint8_t> set = batch({{.key = "k", .value = "v", .headers = {{"traceparent", "no"}, {"h", {}}}}, {.key = {}, .value = {}, .headers = {}}});
  ReportObserver whole({}), left({}), right({});
  for (std::uint64_t n = 1; n <= 40; ++n) {
    for (ReportObserver* observer : {&whole, n % 3 == 0 ? &left : &right}) {
      Script script(*observer);
      auto t = script.talk(n, n % 2 ? "10.1.0.1:9092" : "10.1.0.2:9092");
      const Script::Call call{.key = produce, .version = 9, .client_id = "c" + std::to_string(n % 5)};
      const auto when = static_cast<std::int64_t>(n) * ms;
      const std::uint64_t serial = script.request(t, call, at(when, n), [&](Observer& o) {
        o.on_records({.via = Via::produce, .topic = {.name = n % 4 ? "a" : "b"}, .partition = static_cast<std::int32_t>(n), .records = bytes(set)});
      });
      script.response(t, call, serial, at(when, n), at(when + static_cast<std::int64_t>(n % 7) * ms, n + 1), [&](Observer& o) {
        if (n % 5 == 0) o.on_error({.code = 7, .node = no_node, .topic = {.name = "a"}, .partition = 1, .group = "g"});
      });
      script.close(t);
    }
  }
  ReportData one = whole.finish(), merged = left.finish();
  merged.merge(right.finish());
  EXPECT_EQ(one.seen.records, merged.seen.records);
  EXPECT_EQ(one.seen.kafka_conversations, merged.seen.kafka_conversations);
  EXPECT_EQ(api(one, produce).latency.percentile(90), api(merged, produce).latency.percentile(90));
  ASSERT_EQ(one.topics.size(), merged.topics.size());
  const Cluster cluster;
  const auto a = named_topics(one.topics, cluster), b = named_topics(merged.topics, cluster);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].label.name, b[i].label.name);
    EXPECT_EQ(a[i].row.produced.records, b[i].row.produced.records);
    EXPECT_EQ(a[i].row.produced.bytes, b[i].row.produced.bytes);
    EXPECT_EQ(a[i].row.partitions.count(), b[i].row.partitions.count());
    EXPECT_EQ(a[i].row.produced.clients.items(), b[i].row.produced.clients.items());
  }
  const auto h = named_headers(one.headers, cluster), k = named_headers(merged.headers, cluster);
  ASSERT_EQ(h.size(), k.size());
  for (std::size_t i = 0; i < h.size(); ++i) EXPECT_EQ(h[i].count, k[i].count);
  ASSERT_EQ(one.slowest.rows().size(), merged.slowest.rows().size());
  for (std::size_t i = 0; i < one.slowest.rows().size(); ++i) EXPECT_EQ(one.slowest.rows()[i].request.packet, merged.slowest.rows()[i].request.packet);
  const auto x = named_errors(one.errors, cluster), y = named_errors(merged.errors, cluster);
  ASSERT_EQ(x.size(), 1u);
  EXPECT_EQ(x[0].row.first.packet, y.at(0).row.first.packet);
  EXPECT_EQ(x[0].row.count, y[0].row.count);
}

TEST(ReportObserver, GroupsCountARequestOnce) {
  ReportObserver observer({});
  Script script(observer);
  auto a = script.talk(1);
  script.request(a, {.key = join_group, .version = 9, .client_id = "x"}, at(0, 1), [](Observer& o) {
    o.on_group({.group = "billing", .member = "m-1"});
    o.on_group({.group = "billing", .member = ""});
  });
  const ReportData d = observer.finish();
  ASSERT_EQ(d.groups.size(), 1u);
  const GroupRow& g = d.groups.sorted()[0]->row;
  EXPECT_EQ(g.group, "billing");
  EXPECT_EQ(g.calls.total(), 1u);
  EXPECT_EQ(g.members.items().size(), 1u);
  EXPECT_EQ(*g.coordinators.items().begin(), "10.1.0.1:9092");
}

TEST(ReportObserver, BrokersMeetTheirAddresses) {
  ReportObserver observer({});
  Script script(observer);
  auto a = script.talk(1), b = script.talk(2, "[::1]:9093");
  script.exchange(a, {.key = metadata, .version = 12, .client_id = "x"}, 0, 1, ms);
  script.request(b, {.key = metadata, .version = 12, .client_id = "x"}, at(0, 1), [](Observer& o) {
    o.on_broker({.id = 1, .host = "10.1.0.1", .port = 9092});
    o.on_broker({.id = 2, .host = "localhost", .port = 9093});
    o.on_broker({.id = 3, .host = "kafka-3", .port = 9092});
  });
  script.close(a);
  script.close(b);
  const ReportData d = observer.finish();
  const auto brokers = named_brokers(d.servers, d.endpoints);
  ASSERT_EQ(brokers.size(), 3u);
  ASSERT_NE(brokers[0].server, nullptr);
  EXPECT_EQ(brokers[0].server->address, "10.1.0.1:9092");
  ASSERT_NE(brokers[1].server, nullptr);
  EXPECT_EQ(brokers[1].server->address, "[::1]:9093");
  EXPECT_EQ(brokers[2].server, nullptr);
  EXPECT_EQ(brokers[2].host, "kafka-3");
}

}  // namespace
}  // namespace kparse::report
