// SPDX-License-Identifier: MIT
// What tests of the events that an observer has to ask for (Wants) share: a listener, an interpreter, bodies.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "build.h"
#include "kparse/interpreter.h"

namespace kparse::test {

using Lines = std::vector<std::string>;

/// Writes down what it is told, a line an event.
class Details : public Observer {
 public:
  explicit Details(Wants w) : wants_(w) {}
  Wants wants() const noexcept override { return wants_; }
  Lines lines;

  void on_group_call(const GroupCall& c) override {
    std::string line = "call " + std::string(name_of(c.group_kind)) + " " + text(c.group) + " " + text(c.member) + " " +
                       std::to_string(c.generation);
    if (!c.reason.empty()) line += " because " + text(c.reason);
    for (const GroupProtocol& p : c.protocols) line += " " + text(p.name);
    for (const GroupMember& m : c.members)
      line += " [" + text(m.member) + "/" + text(m.instance) + " " + text(m.reason) + "]";
    if (c.topics_told) line += " topics " + std::to_string(c.topics.size());
    if (c.owned_told) line += " owns " + std::to_string(c.owned.size());
    lines.push_back(line);
  }
  void on_group_answer(const GroupCall& c, const GroupAnswer& a) override {
    std::string line = "answer " + text(c.group) + " " + text(c.member) + " error " + std::to_string(a.error) +
                       " generation " + std::to_string(a.generation) + " " + text(a.member);
    if (a.assignment_told)
      for (const PartitionRef& p : a.assigned) line += " " + topic(p.topic) + ":" + std::to_string(p.partition);
    for (const GroupMember& m : a.members) line += " [" + text(m.member) + " " + std::to_string(m.error) + "]";
    lines.push_back(line);
  }
  void on_offset_commit(const OffsetCommit& o) override {
    lines.push_back("commit " + text(o.group) + " " + topic(o.topic) + ":" + std::to_string(o.partition) + " " +
                    std::to_string(o.offset) +
                    (o.answered ? " error " + std::to_string(o.error) : std::string(" unanswered")));
  }
  void on_offset_listed(const OffsetListed& o) override {
    lines.push_back("listed " + topic(o.topic) + ":" + std::to_string(o.partition) + " asked " +
                    std::to_string(o.asked) + " offset " + std::to_string(o.offset));
  }
  void on_fetch_asked(const FetchAsked& f) override {
    std::string line = "asked " + text(name_of(f.kind));
    if (f.session) {
      f.session->each([&](const FetchTarget& t) {
        line += " " + topic(t.topic) + ":" + std::to_string(t.partition) + "@" + std::to_string(t.offset);
      });
    } else {
      for (const FetchTarget& t : f.named)
        line += " +" + topic(t.topic) + ":" + std::to_string(t.partition) + "@" + std::to_string(t.offset);
    }
    lines.push_back(line);
  }
  void on_fetch_answered(const FetchAnswered& f) override {
    lines.push_back("session " + text(name_of(f.session)) + " " + std::to_string(f.session_id));
  }
  void on_partition_fetched(const PartitionFetched& p) override {
    lines.push_back("fetched " + topic(p.topic) + ":" + std::to_string(p.partition) + " asked " +
                    std::to_string(p.asked_offset) + " end " + std::to_string(p.high_watermark) + " stable " +
                    std::to_string(p.last_stable_offset));
  }
  void on_share_acquired(const ShareAcquired& s) override {
    lines.push_back("acquired " + text(s.group) + " " + std::to_string(s.first_offset) + "-" +
                    std::to_string(s.last_offset) + " time " + std::to_string(s.delivery_count));
  }
  void on_share_acknowledged(const ShareAcknowledged& s) override {
    lines.push_back("acknowledged " + text(share_acknowledge_name(s.type)) + " " + std::to_string(s.first_offset) +
                    "-" + std::to_string(s.last_offset) +
                    (s.answered ? " error " + std::to_string(s.error) : std::string(" unanswered")));
  }
  void on_txn_call(const TxnCall& c) override {
    lines.push_back("txn " + text(name_of(c.kind)) + " " + text(c.transactional_id) + " " +
                    std::to_string(c.producer_id) + "/" + std::to_string(c.producer_epoch) +
                    (c.committed ? " commit" : "") + " " + std::to_string(c.partitions.size()));
  }
  void on_txn_answer(const TxnCall& c, const TxnAnswer& a) override {
    lines.push_back("answered " + text(name_of(c.kind)) + " " + text(c.transactional_id) + " error " +
                    std::to_string(a.error) + " " + std::to_string(a.producer_id) + "/" +
                    std::to_string(a.producer_epoch) + " " + std::to_string(a.partitions.size()));
  }
  void on_batch(const BatchSeen& b) override {
    lines.push_back("batch " + text(name_of(b.sequence)) + " " + std::to_string(b.batch.base_sequence));
  }
  void on_leader(const LeaderTold& l) override {
    lines.push_back("leader " + topic(l.topic) + ":" + std::to_string(l.partition) + " " + std::to_string(l.leader) +
                    " epoch " + std::to_string(l.leader_epoch));
  }
  void on_coordinator(const CoordinatorTold& c) override {
    lines.push_back("coordinator " + text(c.key) + " " + std::to_string(c.node));
  }
  void on_versions(const VersionsTold& v) override {
    lines.push_back("versions " + std::to_string(v.api_key) + " " + std::to_string(v.lowest) + "-" +
                    std::to_string(v.highest));
  }
  void on_limit(const LimitReached& l) override {
    lines.push_back("limit " + text(l.table) + " " + std::to_string(l.left_out));
  }

 private:
  static std::string text(std::string_view s) { return std::string(s); }
  static std::string topic(const TopicRef& t) { return t.id ? "#" + std::to_string(t.id[0]) : std::string(t.name); }
  const Wants wants_;
};

class DetailsTest : public testing::Test {
 protected:
  void request(const char* api, int version, const std::vector<std::uint8_t>& body) {
    interpreter().on_request(test::request_of(api, version, body, serial_++));
  }
  /// Answers request number `serial`, by default the newest.
  void response(const char* api, int version, const std::vector<std::uint8_t>& body, std::int64_t serial = -1) {
    interpreter().on_response(
        test::response_of(api, version, body, serial < 0 ? serial_ - 1 : static_cast<std::uint64_t>(serial)));
  }
  Interpreter& interpreter() {
    if (!interpreter_)
      interpreter_ = std::make_unique<Interpreter>(info_, cluster_, programs_, seen_, InterpreterOptions{});
    return *interpreter_;
  }
  Lines take() { return std::exchange(seen_.lines, {}); }

  ConversationInfo info_{
      .number = 0, .client = "10.0.0.1:50000", .server = "10.0.0.2:9092", .proxied = {}, .role_guessed = false};
  Cluster cluster_;
  InterpreterPrograms programs_;
  Details seen_{Wants::everything};
  std::unique_ptr<Interpreter> interpreter_;
  std::uint64_t serial_ = 0;
};

/// Fetch request 7: partitions of topic "t" with their offsets, and forgotten ones.
inline std::vector<std::uint8_t> fetch(std::int32_t session, std::int32_t epoch,
                                const std::vector<std::pair<int, std::int64_t>>& named,
                                const std::vector<int>& forgotten = {}) {
  Build b;
  b.i32(-1).i32(500).i32(1).i32(1 << 20).i8(0).i32(session).i32(epoch);
  b.i32(named.empty() ? 0 : 1);
  if (!named.empty()) {
    b.str("t").i32(static_cast<std::int64_t>(named.size()));
    for (const auto& [partition, offset] : named) b.i32(partition).i64(offset).i64(-1).i32(1000);
  }
  b.i32(forgotten.empty() ? 0 : 1);
  if (!forgotten.empty()) {
    b.str("t").i32(static_cast<std::int64_t>(forgotten.size()));
    for (const int p : forgotten) b.i32(p);
  }
  return b.done();
}

/// Fetch response 7 without records.
inline std::vector<std::uint8_t> fetched(int error, std::int32_t session, const std::vector<int>& partitions) {
  Build b;
  b.i32(0).i16(error).i32(session).i32(partitions.empty() ? 0 : 1);
  if (partitions.empty()) return b.done();
  b.str("t").i32(static_cast<std::int64_t>(partitions.size()));
  for (const int p : partitions) b.i32(p).i16(0).i64(100).i64(90).i64(0).i32(-1).i32(-1);
  return b.done();
}

/// JoinGroup request 8 of a static member, with a reason.
inline std::vector<std::uint8_t> join() {
  return Build()
      .cstr("g")
      .i32(6000)
      .i32(9000)
      .cstr("m-1")
      .cstr("static-1")
      .cstr("consumer")
      .carray(1)
      .cstr("range")
      .cblob({1, 2})
      .no_tags()
      .cstr("why")
      .no_tags()
      .done();
}

}  // namespace kparse::test
