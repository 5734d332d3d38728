// SPDX-License-Identifier: MIT
// Full tables are said; and what rules make of single events that no script brings.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kparse/lint.h"
#include "kparse/schema.h"

namespace kparse {
namespace {

/// A linter with one rule, told of events as they come from connections.
class Told {
 public:
  explicit Told(const std::string& rule) : linter({.select = {rule}}, cluster_) {}

  ConversationInfo connection(std::string_view client) {
    return {.number = next_++, .client = client, .server = "10.0.0.9:9092", .client_direction = 0};
  }
  template <class F>
  void answer(const ConversationInfo& c, std::int16_t key, F events) {
    const Response r{.frame = {.from = Side::server, .first = stamp(), .last = stamp(), .completed = stamp()},
                     .matched = true,
                     .api = find_api(key),
                     .api_key = key};
    linter.begin_response(c, r);
    events();
    linter.end_response(c, r, {});
  }
  template <class F>
  void request(const ConversationInfo& c, std::int16_t key, F events) {
    const Request r{.frame = {.offset = packet_, .first = stamp(), .last = stamp(), .completed = stamp()},
                    .api = find_api(key),
                    .api_key = key,
                    .serial = packet_};
    linter.begin_request(c, r);
    events();
    linter.end_request(c, r, {});
  }
  void segment(const ConversationInfo& c, int direction, std::uint8_t flags, std::uint32_t length) {
    SegmentSeen s{};
    s.direction = direction;
    s.flags = flags;
    s.length = length;
    s.at = stamp();
    linter.on_segment(c, s);
  }
  void close(const ConversationInfo& c) { linter.on_close(c, stamp()); }

  /// "rule/what limit left out", a line each.
  std::string finish() {
    findings = linter.finish(stamp());
    std::string lines;
    for (const LintLimit& l : linter.limits())
      lines += std::string(l.rule) + "/" + std::string(l.what) + " " + std::to_string(l.limit) + " " +
               std::to_string(l.left_out) + "\n";
    return lines;
  }

 private:
  Stamp stamp() { return {.time_ns = static_cast<std::int64_t>(++packet_) * 1'000'000, .packet = packet_, .file = 0}; }

  Cluster cluster_;
  std::uint64_t next_ = 0, packet_ = 0;

 public:
  Linter linter;
  std::vector<Finding> findings;
};

std::string throttled(int clients) {
  Told t("KP-THROTTLE");
  for (int i = 0; i < clients; ++i) {
    const std::string client = std::to_string(i) + ":5000";
    const ConversationInfo c = t.connection(client);
    t.answer(c, 1, [&] { t.linter.on_throttle(100); });
    t.close(c);
  }
  const std::string limits = t.finish();
  EXPECT_EQ(t.findings.size(), 10'000u);
  return limits;
}

TEST(LintLimits, ATableOfARule) {
  EXPECT_EQ(throttled(10'000), "");
  EXPECT_EQ(throttled(10'003), "KP-THROTTLE/clients of an API 10000 3\n");
}

std::string joined(int groups, int connections) {
  Told t("KP-JOIN-LOOP");
  for (int n = 0; n < connections; ++n) {
    const ConversationInfo c = t.connection("10.0.0.1:5000");
    for (int again = 0; again < 2; ++again)
      t.request(c, 11, [&] {
        for (int i = 0; i < groups; ++i)
          t.linter.on_group_call({.kind = GroupCall::Kind::join, .group = "g" + std::to_string(i)});
      });
    t.close(c);
  }
  return t.finish();
}

// What a rule keeps of a connection goes with it; what was left out stays counted.
TEST(LintLimits, TablesOfConnections) {
  EXPECT_EQ(joined(10'000, 2), "");
  EXPECT_EQ(joined(10'001, 2), "KP-JOIN-LOOP/a connection's groups 10000 4\n");
}

std::string produced(int topics) {
  Told t("KP-HOT-PARTITION");
  const ConversationInfo c = t.connection("10.0.0.1:5000");
  const std::uint8_t byte = 0;
  for (int i = 0; i < topics; ++i) {
    const std::string name = "t" + std::to_string(i);
    t.request(c, 0, [&] {
      t.linter.on_records({.via = Via::produce, .topic = {.name = name}, .partition = 0, .records = {&byte, 1}});
    });
  }
  t.close(c);
  return t.finish();
}

TEST(LintLimits, ATableThatRulesShare) {
  EXPECT_EQ(produced(10'000), "");
  EXPECT_EQ(produced(10'002), "/topics 10000 2\n");
}

/// A broker is told of to which only SYNs go.
std::size_t silent(int syns) {
  Told t("KP-ADVERTISED");
  const ConversationInfo c = t.connection("10.0.0.1:5000");
  t.answer(c, 3, [&] { t.linter.on_broker({.id = 1, .host = "10.0.0.77", .port = 9092}); });
  ConversationInfo silent = t.connection("10.0.0.1:5001");
  silent.server = "10.0.0.77:9092";
  for (int i = 0; i < syns; ++i) t.segment(silent, 0, SegmentSeen::syn, 0);
  t.close(silent);
  t.close(c);
  (void)t.finish();
  return t.findings.size();
}

// However soon the capture ends.
TEST(Advertised, NobodyAnswersASynThatIsSentThreeTimes) {
  EXPECT_EQ(silent(2), 0u);
  EXPECT_EQ(silent(3), 1u);
}

/// A broker is told of that refuses connections, among others of which the capture has the middle.
std::string unreachable(int others, std::size_t findings) {
  Told t("KP-ADVERTISED");
  for (int i = 0; i < others; ++i) {
    const std::string client = std::to_string(i) + ":5000";
    const ConversationInfo c = t.connection(client);
    t.segment(c, 0, SegmentSeen::ack, 10);
    t.close(c);
  }
  const ConversationInfo c = t.connection("10.0.0.1:5000");
  t.answer(c, 3, [&] { t.linter.on_broker({.id = 1, .host = "10.0.0.77", .port = 9092}); });
  ConversationInfo refused = t.connection("10.0.0.1:5001");
  refused.server = "10.0.0.77:9092";
  t.segment(refused, 0, SegmentSeen::syn, 0);
  t.segment(refused, 1, SegmentSeen::rst | SegmentSeen::ack, 0);
  t.close(refused);
  t.close(c);
  const std::string limits = t.finish();
  EXPECT_EQ(t.findings.size(), findings);
  return limits;
}

// "None succeeds" can't be said where those that did may have found no place.
TEST(LintLimits, WhatAFullTableLacksIsNoProof) {
  EXPECT_EQ(unreachable(9'999, 1), "");   // and their server
  EXPECT_EQ(unreachable(10'001, 0), "KP-ADVERTISED/servers that answer 10000 2\n");
}

// Whose connections have only begun is known: a client's port is no server.
TEST(LintLimits, ClientsAreNoServers) {
  Told t("KP-ADVERTISED");
  for (int i = 0; i < 20'000; ++i) {
    const std::string client = std::to_string(i) + ":5000";
    const ConversationInfo c = t.connection(client);
    t.segment(c, 0, SegmentSeen::syn, 0);
    t.segment(c, 1, SegmentSeen::syn | SegmentSeen::ack, 0);
    t.close(c);
  }
  EXPECT_EQ(t.finish(), "");
}

}  // namespace
}  // namespace kparse
