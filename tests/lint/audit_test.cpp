// SPDX-License-Identifier: MIT
// Verdicts against KIP-896 and what 4.1 takes; libraries; what the observer tells apart.
#include <gtest/gtest.h>

#include "audit/audit.h"
#include "audit/audit_observer.h"
#include "kparse/releases.h"

namespace kparse::audit {
namespace {

std::size_t release(std::string_view name) { return find_release(name).value_or(999); }
Call call(std::int16_t key, std::int16_t version, bool limit = false) {
  return {.api_key = key, .version = version, .count = 1, .first = {}, .last = {}, .brokers_limit = limit};
}
Verdict of(std::int16_t key, std::int16_t version, std::string_view target, bool negotiates = true) {
  return judge(call(key, version), negotiates, release(target)).verdict;
}

// The floor of 4.x, API by API: the lowest version that it takes.
TEST(Verdicts, TheFloor) {
  struct Floor {
    std::int16_t key, lowest;
  };
  for (const auto& [key, lowest] :
       {Floor{0, 3}, Floor{1, 4}, Floor{2, 1}, Floor{8, 2}, Floor{9, 1}, Floor{19, 2}, Floor{20, 1}, Floor{23, 2}, Floor{29, 1},
        Floor{30, 1}, Floor{31, 1}, Floor{32, 1}, Floor{34, 1}, Floor{35, 1}, Floor{38, 1}, Floor{39, 1}, Floor{40, 1}, Floor{41, 1}}) {
    for (const char* target : {"4.0", "4.1", "4.4"}) {
      for (std::int16_t v = 0; v < lowest; ++v) EXPECT_EQ(of(key, v, target), Verdict::refused) << key << " v" << v;
      EXPECT_EQ(of(key, lowest, target), Verdict::ok) << key;
    }
    for (std::int16_t v = 0; v < lowest; ++v) EXPECT_EQ(of(key, v, "3.9"), Verdict::ok) << key << " v" << v;
  }
}

// On the deprecated list of 3.7 to 3.9 and kept all the same: no alarm.
TEST(Verdicts, WhatWasKept) {
  for (std::int16_t v = 0; v <= 3; ++v) EXPECT_EQ(of(3, v, "4.0"), Verdict::ok);           // Metadata
  for (std::int16_t v = 3; v <= 6; ++v) EXPECT_EQ(of(0, v, "4.0"), Verdict::ok);           // Produce
  EXPECT_EQ(of(10, 0, "4.0"), Verdict::ok);                                                // FindCoordinator
  for (std::int16_t v = 0; v <= 1; ++v) EXPECT_EQ(of(11, v, "4.0"), Verdict::ok);          // JoinGroup
  EXPECT_EQ(of(17, 0, "4.0"), Verdict::ok);                                                // SaslHandshake
  EXPECT_EQ(of(42, 0, "4.0"), Verdict::ok);                                                // DeleteGroups
}

TEST(Verdicts, SinceWhen) {
  const Judged j = judge(call(0, 2), true, release("4.4"));
  ASSERT_TRUE(j.since);
  EXPECT_EQ(line_of(*j.since), "4.0");
  EXPECT_EQ(j.reason, Reason::too_old);
  EXPECT_EQ(reason_text(call(0, 2), j, release("4.4")), "4.4, like 4.0 and all after it, takes v3 and later");
}

// The client took what the broker had; with another broker it may take more.
TEST(Verdicts, TheBrokersLimit) {
  const Judged j = judge(call(0, 2, true), true, release("4.0"));
  EXPECT_EQ(j.verdict, Verdict::unknown);
  EXPECT_EQ(j.reason, Reason::brokers_limit);
  EXPECT_EQ(judge(call(0, 2, true), false, release("4.0")).verdict, Verdict::refused) << "it doesn't ask";
  EXPECT_EQ(judge(call(0, 7, true), true, release("4.0")).verdict, Verdict::ok);
}

TEST(Verdicts, NewClientsOnOldBrokers) {
  EXPECT_EQ(of(1, 17, "3.0"), Verdict::ok) << "Fetch 17: it asks, and sends 13 there";
  EXPECT_EQ(of(1, 17, "3.0", false), Verdict::refused);
  EXPECT_EQ(of(68, 1, "3.0"), Verdict::refused) << "ConsumerGroupHeartbeat: no such thing";
  EXPECT_EQ(of(68, 0, "3.5"), Verdict::refused) << "in the code, but not switched on";
  EXPECT_EQ(of(68, 1, "4.0"), Verdict::ok);
  EXPECT_EQ(line_of(*judge(call(68, 1), true, release("3.0")).since), "3.7");
  EXPECT_EQ(of(71, 0, "3.0"), Verdict::ok) << "telemetry: clients do without";
  EXPECT_EQ(of(18, 5, "3.0"), Verdict::ok) << "ApiVersions falls back";
  EXPECT_EQ(of(18, 0, "4.4"), Verdict::ok);
}

TEST(Verdicts, WhatWentWithZooKeeper) {
  EXPECT_EQ(of(4, 7, "3.9"), Verdict::ok);
  const Judged j = judge(call(4, 7), true, release("4.0"));
  EXPECT_EQ(j.verdict, Verdict::refused);
  EXPECT_EQ(j.reason, Reason::api_gone);
}

TEST(Verdicts, WhatTablesDontKnow) {
  EXPECT_EQ(of(999, 0, "4.4"), Verdict::unknown);
  EXPECT_EQ(of(1, 999, "4.4", false), Verdict::unknown);
}

TEST(Verdicts, ReleasesFrom30To44) {
  ASSERT_EQ(judged_releases().size(), 15u);
  EXPECT_EQ(line_of(judged_releases().front()), "3.0");
  EXPECT_EQ(line_of(judged_releases()[9]), "3.9");
  EXPECT_EQ(line_of(judged_releases().back()), "4.4");
}

TEST(Libraries, ByWhatTheySay) {
  EXPECT_EQ(library_of("librdkafka", "1.0.0", "x").library->name, "librdkafka");
  const Known inner = library_of("confluent-kafka-python", "2.16.1-rdkafka-2.16.0", "x");
  EXPECT_EQ(inner.library->name, "librdkafka");
  EXPECT_EQ(inner.version, "2.16.0");
  EXPECT_EQ(library_of("sarama", "v1.61.1", "").version, "1.61.1");
  EXPECT_EQ(library_of("own-client", "1", "sarama").library, nullptr) << "it says what it is";
}

TEST(Libraries, ByTheirDefaultClientId) {
  const Known k = library_of("", "", "kafka-python-1.4.7");
  ASSERT_NE(k.library, nullptr);
  EXPECT_EQ(k.version, "1.4.7");
  EXPECT_TRUE(k.guessed);
  EXPECT_EQ(library_of("", "", "consumer-billing-12").library->name, "Apache Kafka Java client");
  for (const char* id : {"producer-", "consumer-billing", "producer-1a", "kafka-python-producer-1", "sarama2", ""})
    EXPECT_EQ(library_of("", "", id).library, nullptr) << id;
}

TEST(Libraries, VersionsAreOrdered) {
  EXPECT_LT(compare_versions("1.8.2", "1.10.0"), 0);
  EXPECT_GT(compare_versions("2.0", "1.99.99"), 0);
  EXPECT_EQ(compare_versions("2.1", "2.1.0"), 0);
  EXPECT_EQ(compare_versions("2.1.0-rc1", "2.1.0"), 0);
  EXPECT_LT(compare_versions("", "0.1"), 0);
  EXPECT_LT(compare_versions("99999999999999999999.1", "99999999999999999999.2"), 0);
}

TEST(Libraries, Fixes) {
  EXPECT_EQ(fix_for(library_of("", "", "kafka-python-1.4.7")),
            "kafka-python 2.0.2 or later, here 1.4.7 (as its client id says); without api_version");
  EXPECT_NE(fix_for(library_of("sarama", "1.61.1", "")).find("is new enough: a setting holds it at old versions"), std::string::npos);
  EXPECT_NE(fix_for(library_of("", "", "pykafka")).find("another library"), std::string::npos);
  EXPECT_EQ(fix_for({}), "");
}

/// Requests of one connection.
struct Talk {
  explicit Talk(AuditObserver& o, std::uint64_t number, std::string_view from = "10.0.0.1:5000") : observer(o) {
    info.number = number;
    info.client = from;
    info.server = "10.0.0.9:9092";
  }
  void ask(std::int16_t key, std::int16_t version, std::string_view client_id, std::int64_t at = 0) {
    Request r;
    r.api = find_api(key);
    r.api_key = key;
    r.version = version;
    r.client_id = client_id;
    r.client_id_null = false;
    r.frame.offset = offset++;
    r.frame.first.time_ns = r.frame.completed.time_ns = at;
    observer.begin_request(info, r);
  }
  void close() {
    observer.begin_response(info, Response{});
    observer.on_close(info, {});
  }
  AuditObserver& observer;
  ConversationInfo info;
  std::uint64_t offset = 0;
};

TEST(Observer, SoftwareIsOfAllConnectionsOfTheClient) {
  const Cluster cluster;
  AuditObserver observer(cluster);
  Talk first(observer, 0), second(observer, 1, "10.0.0.1:5001"), other(observer, 2, "10.0.0.2:5000");
  first.ask(18, 3, "billing", 1);
  observer.on_client_software({.name = "librdkafka", .version = "2.0.2"});
  first.close();
  second.ask(1, 11, "billing", 9);
  second.ask(1, 11, "billing", 5);
  second.close();
  other.ask(1, 11, "billing");
  other.close();
  const Seen seen = observer.finish();
  ASSERT_EQ(seen.clients.size(), 2u);
  const Client& told = seen.clients[1];
  EXPECT_EQ(told.who.software, "librdkafka");
  EXPECT_TRUE(told.negotiates);
  const Call& fetch = told.calls.at({1, 11});
  EXPECT_EQ(fetch.count, 2u);
  EXPECT_EQ(fetch.first.time_ns, 5);
  EXPECT_EQ(fetch.last.time_ns, 9);
  EXPECT_EQ(seen.clients[0].who.software, "");
  EXPECT_FALSE(seen.clients[0].negotiates);
}

TEST(Observer, BrokersStandApart) {
  const Cluster cluster;
  AuditObserver observer(cluster);
  Talk follower(observer, 0), controller(observer, 1), client(observer, 2);
  follower.ask(1, 0, "broker-2-fetcher-0");
  FetchAsked asked;
  asked.replica_id = 2;
  observer.on_fetch_asked(asked);
  follower.close();
  controller.ask(4, 7, "1");
  controller.close();
  client.ask(1, 0, "old");
  client.close();
  const Seen seen = observer.finish();
  const Audit audit = judge_all(seen, release("4.0"), 1);
  ASSERT_EQ(audit.clients.size(), 3u);
  EXPECT_EQ(audit.clients[0].client->who.client_id, "old");
  EXPECT_TRUE(audit.clients[1].client->who.inter_broker);
  EXPECT_TRUE(audit.clients[2].client->who.inter_broker);
  EXPECT_EQ(worst(audit), Verdict::refused);
}

TEST(Observer, ABrokersLimitIsTheClients) {
  Cluster cluster;
  cluster.learn_advertised("10.0.0.9:9092", 0, {.lowest = 0, .highest = 2});
  AuditObserver observer(cluster);
  Talk t(observer, 0);
  t.ask(18, 0, "new");
  t.ask(0, 2, "new");
  t.close();
  Talk u(observer, 1, "10.0.0.2:1");
  u.ask(18, 0, "old");
  u.ask(0, 1, "old");
  u.close();
  const Seen seen = observer.finish();
  const Audit audit = judge_all(seen, release("4.0"), 1);
  ASSERT_EQ(audit.clients.size(), 2u);
  EXPECT_EQ(audit.clients[0].client->who.client_id, "old");
  EXPECT_EQ(audit.clients[0].verdict, Verdict::refused);
  EXPECT_EQ(audit.clients[1].verdict, Verdict::unknown);
}

TEST(Observer, PrincipalAndWhatIsUnseen) {
  const Cluster cluster;
  AuditObserver observer(cluster);
  Talk t(observer, 0);
  t.offset = 17;   // begun in mid-stream
  t.ask(36, 1, "a");
  observer.on_principal({.mechanism = "PLAIN", .user = "alice"});
  observer.on_close(t.info, {});
  TlsInfo tls;
  Talk sealed(observer, 1);
  sealed.info.tls = &tls;
  observer.on_close(sealed.info, {});
  const Seen seen = observer.finish();
  ASSERT_EQ(seen.clients.size(), 1u);
  EXPECT_EQ(seen.clients[0].who.principal, "alice");
  EXPECT_EQ(seen.unseen.tls, 1u);
  EXPECT_EQ(seen.unseen.begun_before, 1u);
  EXPECT_EQ(seen.unseen.requests_only, 1u);
  const Audit audit = judge_all(seen, release("4.0"), 5'000'000'000);
  std::string blind;
  for (const Blind& b : audit.blind) blind += std::string(b.what) + " ";
  EXPECT_EQ(blind, "span tls requestsOnly begunBefore software ");
}

// A client that invents ids and versions costs a bounded table.
TEST(Observer, IsBounded) {
  const Cluster cluster;
  AuditObserver observer(cluster);
  Talk t(observer, 0);
  for (int i = 0; i < 6000; ++i) t.ask(static_cast<std::int16_t>(i), 0, "a");
  for (int i = 0; i < 200; ++i) t.ask(1, 11, "id-" + std::to_string(i));
  t.close();
  const Seen seen = observer.finish();
  EXPECT_EQ(seen.clients.size(), AuditObserver::max_ids_of_a_connection);
  EXPECT_EQ(seen.unseen.calls_left_out, 6000 - AuditObserver::max_calls + 200 - (AuditObserver::max_ids_of_a_connection - 1));
}

}  // namespace
}  // namespace kparse::audit
