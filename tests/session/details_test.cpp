// SPDX-License-Identifier: MIT
// Fetch sessions, transactions, share groups, leaders: from hand-made bodies.
#include "details.h"

namespace kparse {
namespace {

using test::Build;
using test::Details;
using test::DetailsTest;
using test::Lines;
using test::fetch;
using test::fetched;

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

TEST(ClusterLeaders, AFullTableIsCounted) {
  Cluster c(2);
  const std::uint8_t id[16] = {7};
  for (int p = 0; p < 3; ++p) c.learn_leader({.name = "t", .id = id}, p, {.node = p, .epoch = 1});
  EXPECT_EQ(c.left_out(), 2u);  // by name and by id
  EXPECT_EQ(c.leader({.name = {}, .id = id}, 1)->node, 1);
  EXPECT_EQ(c.leader({.name = "t", .id = nullptr}, 1)->node, 1);
  EXPECT_EQ(c.leader({.name = "t", .id = nullptr}, 2), nullptr);
  c.learn_leader({.name = "t", .id = id}, 1, {.node = 9, .epoch = 2});
  EXPECT_EQ(c.leader({.name = "t", .id = nullptr}, 1)->node, 9);
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
  const auto join = test::join();
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
