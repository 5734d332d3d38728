// SPDX-License-Identifier: MIT
// The events that an observer has to ask for (Wants), from hand-made bodies.
#include <gtest/gtest.h>

#include "build.h"
#include "kparse/interpreter.h"

namespace kparse {
namespace {

using test::Build;
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
    Request r;
    r.api = find_api(std::string_view(api));
    ASSERT_NE(r.api, nullptr);
    r.api_key = r.api->key;
    r.version = static_cast<std::int16_t>(version);
    r.known = r.api->request->versions.has(version);
    r.body = body;
    r.serial = serial_++;
    interpreter().on_request(r);
  }
  /// Answers request number `serial`, by default the newest.
  void response(const char* api, int version, const std::vector<std::uint8_t>& body, std::int64_t serial = -1) {
    Response r;
    r.matched = true;
    r.api = find_api(std::string_view(api));
    ASSERT_NE(r.api, nullptr);
    r.api_key = r.api->key;
    r.version = r.request_version = static_cast<std::int16_t>(version);
    r.known = r.api->response->versions.has(version);
    r.body = body;
    r.serial = serial < 0 ? serial_ - 1 : static_cast<std::uint64_t>(serial);
    interpreter().on_response(r);
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
std::vector<std::uint8_t> fetch(std::int32_t session, std::int32_t epoch,
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
std::vector<std::uint8_t> fetched(int error, std::int32_t session, const std::vector<int>& partitions) {
  Build b;
  b.i32(0).i16(error).i32(session).i32(partitions.empty() ? 0 : 1);
  if (partitions.empty()) return b.done();
  b.str("t").i32(static_cast<std::int64_t>(partitions.size()));
  for (const int p : partitions) b.i32(p).i16(0).i64(100).i64(90).i64(0).i32(-1).i32(-1);
  return b.done();
}

// KIP-227: a full fetch opens, incremental ones name changes only, forgotten partitions go.
TEST_F(DetailsTest, FetchSessionIsRebuilt) {
  request("Fetch", 7, fetch(0, 0, {{0, 10}, {1, 20}, {2, 30}}));
  response("Fetch", 7, fetched(0, 77, {0, 1, 2}));
  EXPECT_EQ(take(),
            (Lines{"asked full +t:0@10 +t:1@20 +t:2@30", "session opened 77", "fetched t:0 asked 10 end 100 stable 90",
                   "fetched t:1 asked 20 end 100 stable 90", "fetched t:2 asked 30 end 100 stable 90"}));
  request("Fetch", 7, fetch(77, 1, {{0, 15}}, {2}));
  response("Fetch", 7, fetched(0, 77, {1}));
  EXPECT_EQ(take(),
            (Lines{"asked incremental t:0@15 t:1@20", "session goesOn 77", "fetched t:1 asked 20 end 100 stable 90"}));
  request("Fetch", 7, fetch(77, 2, {}));
  response("Fetch", 7, fetched(70, 0, {}));  // FETCH_SESSION_ID_NOT_FOUND
  EXPECT_EQ(take(), (Lines{"asked incremental t:0@15 t:1@20", "session lost 0"}));
  request("Fetch", 7, fetch(77, 3, {}));
  EXPECT_EQ(take(), (Lines{"asked incremental"}));
}

TEST_F(DetailsTest, SessionGoesOnOverAnotherConnection) {
  request("Fetch", 7, fetch(0, 0, {{0, 10}}));
  response("Fetch", 7, fetched(0, 77, {}));
  take();
  interpreter_.reset();
  info_.client = "10.0.0.1:50001";
  request("Fetch", 7, fetch(77, 1, {{1, 5}}));
  EXPECT_EQ(take(), (Lines{"asked incremental t:0@10 t:1@5"}));
}

// What a lost request changed can't be known.
TEST_F(DetailsTest, MissedEpochEndsWhatIsKnown) {
  request("Fetch", 7, fetch(0, 0, {{0, 10}}));
  response("Fetch", 7, fetched(0, 77, {}));
  request("Fetch", 7, fetch(77, 2, {{1, 5}}));
  response("Fetch", 7, fetched(0, 77, {0}));
  EXPECT_EQ(take(), (Lines{"asked full +t:0@10", "session opened 77", "asked incremental +t:1@5", "session goesOn 77",
                           "fetched t:0 asked -1 end 100 stable 90"}));
}

TEST_F(DetailsTest, RefusedAndClosedSessions) {
  request("Fetch", 7, fetch(0, 0, {{0, 10}}));
  response("Fetch", 7, fetched(0, 0, {}));
  request("Fetch", 7, fetch(5, -1, {}));
  response("Fetch", 7, fetched(0, 0, {}));
  request("Fetch", 7, fetch(0, -1, {{0, 1}}));
  response("Fetch", 7, fetched(0, 0, {}));
  EXPECT_EQ(take(), (Lines{"asked full +t:0@10", "session refused 0", "asked closing", "session closed 0",
                           "asked sessionless +t:0@1", "session none 0"}));
}

TEST_F(DetailsTest, JoinWithReasonAndLeadersList) {
  request("JoinGroup", 8,
          Build()
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
              .done());
  response("JoinGroup", 8,
           Build()
               .i32(0)
               .i16(0)
               .i32(3)
               .cstr("consumer")
               .cstr("range")
               .cstr("m-1")
               .cstr("m-1")
               .carray(2)
               .cstr("m-1")
               .cstr("static-1")
               .cblob({})
               .no_tags()
               .cstr("m-2")
               .uvarint(0)
               .cblob({})
               .no_tags()
               .no_tags()
               .done());
  EXPECT_EQ(take(), (Lines{"call classic g m-1 -1 because why range",
                           "answer g m-1 error 0 generation 3 m-1 [m-1 0] [m-2 0]"}));
}

/// ConsumerProtocolAssignment 0: partitions of topic "t".
std::vector<std::uint8_t> plan(const std::vector<int>& partitions) {
  Build b;
  b.i16(0).i32(1).str("t").i32(static_cast<std::int64_t>(partitions.size()));
  for (const int p : partitions) b.i32(p);
  b.i32(-1);
  return b.done();
}

// Before version 5 SyncGroup doesn't say whose protocol it is: JoinGroup did, or the bytes must.
TEST_F(DetailsTest, SyncGivesTheAssignment) {
  const auto sync = Build().str("g").i32(3).str("m-1").i32(0).done();
  request("SyncGroup", 0, sync);
  response("SyncGroup", 0, Build().i16(0).blob(plan({0, 2})).done());
  request("SyncGroup", 0, sync);
  response("SyncGroup", 0, Build().i16(0).blob("not an assignment").done());
  EXPECT_EQ(take(), (Lines{"call classic g m-1 3", "answer g m-1 error 0 generation -1  t:0 t:2",
                           "call classic g m-1 3", "answer g m-1 error 0 generation -1 "}));
}

TEST_F(DetailsTest, LeavingOfOldAndNewVersions) {
  request("LeaveGroup", 0, Build().str("g").str("m-1").done());
  request("LeaveGroup", 5,
          Build().cstr("g").carray(1).cstr("").cstr("static-1").cstr("closed").no_tags().no_tags().done());
  response("LeaveGroup", 5,
           Build().i32(0).i16(0).carray(1).cstr("").cstr("static-1").i16(25).no_tags().no_tags().done());
  EXPECT_EQ(take(), (Lines{"call classic g m-1 -1 [m-1/ ]", "call classic g  -1 [/static-1 closed]",
                           "answer g  error 0 generation -1  [ 25]"}));
}

// Null means that nothing has changed, an empty list that there is nothing.
TEST_F(DetailsTest, HeartbeatOfKip848) {
  const auto beat = [](bool told) {
    Build b;
    b.cstr("g").cstr("m").i32(told ? 0 : 4).uvarint(0).uvarint(0).i32(told ? 300000 : -1);
    told ? b.carray(1).cstr("t") : b.uvarint(0);
    b.uvarint(0).uvarint(0);
    told ? b.carray(0) : b.uvarint(0);
    return b.no_tags().done();
  };
  request("ConsumerGroupHeartbeat", 1, beat(true));
  response("ConsumerGroupHeartbeat", 1,
           Build()
               .i32(0)
               .i16(0)
               .uvarint(0)
               .cstr("m")
               .i32(4)
               .i32(1000)
               .i8(1)
               .carray(1)
               .id(9)
               .carray(2)
               .i32(0)
               .i32(1)
               .no_tags()
               .no_tags()
               .no_tags()
               .done());
  request("ConsumerGroupHeartbeat", 1, beat(false));
  response("ConsumerGroupHeartbeat", 1,
           Build().i32(0).i16(0).uvarint(0).cstr("m").i32(4).i32(1000).i8(-1).no_tags().done());
  EXPECT_EQ(take(), (Lines{"call consumer g m 0 topics 1 owns 0", "answer g m error 0 generation 4 m #9:0 #9:1",
                           "call consumer g m 4", "answer g m error 0 generation 4 m"}));
}

TEST_F(DetailsTest, CommitsWithTheirResults) {
  const auto commit = Build()
                          .str("g")
                          .i32(1)
                          .str("m")
                          .i64(-1)
                          .i32(1)
                          .str("t")
                          .i32(2)
                          .i32(0)
                          .i64(11)
                          .str("")
                          .i32(1)
                          .i64(12)
                          .str("")
                          .done();
  request("OffsetCommit", 2, commit);
  // The answer in another order.
  response("OffsetCommit", 2, Build().i32(1).str("t").i32(2).i32(1).i16(27).i32(0).i16(0).done());
  request("OffsetCommit", 2, commit);
  interpreter().on_unanswered(serial_ - 1);
  EXPECT_EQ(take(), (Lines{"commit g t:0 11 error 0", "commit g t:1 12 error 27", "commit g t:0 11 unanswered",
                           "commit g t:1 12 unanswered"}));
}

TEST_F(DetailsTest, ListedOffsetsKnowWhatWasAsked) {
  request("ListOffsets", 1, Build().i32(-1).i32(1).str("t").i32(2).i32(0).i64(-1).i32(1).i64(-2).done());
  response("ListOffsets", 1,
           Build().i32(1).str("t").i32(2).i32(0).i16(0).i64(-1).i64(50).i32(1).i16(0).i64(-1).i64(3).done());
  EXPECT_EQ(take(), (Lines{"listed t:0 asked -1 offset 50", "listed t:1 asked -2 offset 3"}));
}

TEST_F(DetailsTest, TransactionCalls) {
  request("InitProducerId", 0, Build().str("tx").i32(60000).done());
  response("InitProducerId", 0, Build().i32(0).i16(0).i64(9).i16(1).done());
  request("AddPartitionsToTxn", 0, Build().str("tx").i64(9).i16(1).i32(1).str("t").i32(2).i32(0).i32(1).done());
  response("AddPartitionsToTxn", 0, Build().i32(0).i32(1).str("t").i32(2).i32(0).i16(0).i32(1).i16(3).done());
  request("EndTxn", 0, Build().str("tx").i64(9).i16(1).i8(1).done());
  response("EndTxn", 0, Build().i32(0).i16(0).done());
  EXPECT_EQ(take(), (Lines{"txn init tx -1/-1 0", "answered init tx error 0 9/1 0", "txn addPartitions tx 9/1 2",
                           "answered addPartitions tx error 3 -1/-1 2", "txn end tx 9/1 commit 0",
                           "answered end tx error 0 -1/-1 0"}));
}

// From version 4 one request is about several transactions; answers may come in another order.
TEST_F(DetailsTest, SeveralTransactionsInOneRequest) {
  Build q;
  q.carray(2);
  for (const char* id : {"a", "b"})
    q.cstr(id).i64(id[0]).i16(0).i8(0).carray(1).cstr("t").carray(1).i32(0).no_tags().no_tags();
  request("AddPartitionsToTxn", 4, q.no_tags().done());
  Build r;
  r.i32(0).i16(0).carray(2);
  for (const char* id : {"b", "a"})
    r.cstr(id).carray(1).cstr("t").carray(1).i32(0).i16(id[0] == 'a' ? 0 : 47).no_tags().no_tags().no_tags();
  response("AddPartitionsToTxn", 4, r.no_tags().done());
  EXPECT_EQ(take(), (Lines{"txn addPartitions a 97/0 1", "txn addPartitions b 98/0 1",
                           "answered addPartitions a error 0 -1/-1 1", "answered addPartitions b error 47 -1/-1 1"}));
}

// One type stands for the whole range; otherwise one for each offset (KIP-932).
TEST_F(DetailsTest, AcknowledgementsAreRuns) {
  const auto body = Build()
                        .cstr("g")
                        .cstr("m")
                        .i32(1)
                        .carray(1)
                        .id(7)
                        .carray(1)
                        .i32(0)
                        .carray(2)
                        .i64(10)
                        .i64(14)
                        .carray(5)
                        .i8(1)
                        .i8(1)
                        .i8(2)
                        .i8(3)
                        .i8(3)
                        .no_tags()
                        .i64(20)
                        .i64(29)
                        .carray(1)
                        .i8(1)
                        .no_tags()
                        .no_tags()
                        .no_tags()
                        .no_tags()
                        .done();
  request("ShareAcknowledge", 1, body);
  response("ShareAcknowledge", 1,
           Build()
               .i32(0)
               .i16(0)
               .uvarint(0)
               .carray(1)
               .id(7)
               .carray(1)
               .i32(0)
               .i16(0)
               .uvarint(0)
               .i32(-1)
               .i32(-1)
               .no_tags()
               .no_tags()
               .no_tags()
               .carray(0)
               .no_tags()
               .done());
  request("ShareAcknowledge", 1, body);
  interpreter().on_unanswered(serial_ - 1);
  EXPECT_EQ(take(), (Lines{"acknowledged accept 10-11 error 0", "acknowledged release 12-12 error 0",
                           "acknowledged reject 13-14 error 0", "acknowledged accept 20-29 error 0",
                           "acknowledged accept 10-11 unanswered", "acknowledged release 12-12 unanswered",
                           "acknowledged reject 13-14 unanswered", "acknowledged accept 20-29 unanswered"}));
}

TEST_F(DetailsTest, LeadersCoordinatorsVersions) {
  request("Metadata", 1, Build().i32(0).done());
  response("Metadata", 1,
           Build().i32(0).i32(-1).i32(1).i16(0).str("t").i8(0).i32(1).i16(0).i32(0).i32(2).i32(0).i32(0).done());
  request("FindCoordinator", 0, Build().str("g").done());
  response("FindCoordinator", 0, Build().i16(0).i32(3).str("h").i32(9092).done());
  request("ApiVersions", 0, {});
  response("ApiVersions", 0, Build().i16(0).i32(1).i16(1).i16(4).i16(18).done());
  EXPECT_EQ(take(), (Lines{"leader t:0 2 epoch -1", "coordinator g 3", "versions 1 4-18"}));
  const Cluster::Leader* leader = cluster_.leader({.name = "t", .id = nullptr}, 0);
  ASSERT_NE(leader, nullptr);
  EXPECT_EQ(leader->node, 2);
  const Cluster::Advertised* advertised = cluster_.advertised("10.0.0.2:9092", 1);
  ASSERT_NE(advertised, nullptr);
  EXPECT_EQ(advertised->highest, 18);
  EXPECT_EQ(cluster_.advertised("10.0.0.2:9092", 2), nullptr);
}

TEST(ClusterLeaders, OlderEpochsDontCount) {
  Cluster c;
  const TopicRef t{.name = "t", .id = nullptr};
  c.learn_leader(t, 0, {.node = 1, .epoch = 5});
  c.learn_leader(t, 0, {.node = 2, .epoch = 4});
  EXPECT_EQ(c.leader(t, 0)->node, 1);
  c.learn_leader(t, 0, {.node = 3, .epoch = 6});
  EXPECT_EQ(c.leader(t, 0)->node, 3);
}

// Nothing that isn't asked for is told.
TEST(DetailsWanted, OnlyWhatIsAskedFor) {
  const ConversationInfo info{.number = 0, .client = "a:1", .server = "b:2", .proxied = {}, .role_guessed = false};
  Cluster cluster;
  InterpreterPrograms programs;
  Details seen(Wants::groups);
  Interpreter interpreter(info, cluster, programs, seen, {});
  const auto body = fetch(0, 0, {{0, 10}});
  Request r;
  r.api = find_api("Fetch");
  r.api_key = 1;
  r.version = 7;
  r.known = true;
  r.body = body;
  interpreter.on_request(r);
  EXPECT_TRUE(seen.lines.empty());
}

// Every prefix of a body, and every byte changed: nothing but events and errors comes of it.
TEST_F(DetailsTest, DamagedBodies) {
  const auto join = Build()
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
  const auto ask = fetch(0, 0, {{0, 10}, {1, 20}}, {3});
  const auto got = fetched(0, 77, {0, 1});
  for (const auto& [api, version, body] : {std::tuple{"JoinGroup", 8, join}, std::tuple{"Fetch", 7, ask}}) {
    for (std::size_t n = 0; n <= body.size(); ++n) {
      request(api, version, {body.begin(), body.begin() + static_cast<std::ptrdiff_t>(n)});
      if (std::string_view(api) == "Fetch")
        response("Fetch", 7, {got.begin(), got.begin() + static_cast<std::ptrdiff_t>(std::min(n, got.size()))});
    }
    for (std::size_t n = 0; n < body.size(); ++n) {
      auto changed = body;
      changed[n] ^= 0xff;
      request(api, version, changed);
      interpreter().on_unanswered(serial_ - 1);
    }
  }
}

}  // namespace
}  // namespace kparse
