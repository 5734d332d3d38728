// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "support.h"
#include "txns/txn_observer.h"

namespace kparse::txns {
namespace {

using test::Talk;
using Kind = TxnCall::Kind;

const TopicRef topic{.name = "t", .id = nullptr};

struct Client {
  Talk& talk;

  void call(Kind kind, std::int16_t error, std::int16_t epoch = 0, bool committed = false,
            std::vector<PartitionRef> partitions = {}) {
    TxnCall c;
    c.kind = kind;
    c.transactional_id = "tx";
    c.producer_id = kind == Kind::init ? -1 : 9;
    c.producer_epoch = kind == Kind::init ? std::int16_t{-1} : epoch;
    c.committed = committed;
    c.partitions = partitions;
    const auto serial = talk.request([&] {
      c.serial = talk.serial;
      c.first = c.at = talk.now();
      talk.observer.on_txn_call(c);
    });
    TxnAnswer a;
    a.error = error;
    a.producer_id = kind == Kind::init ? 9 : -1;
    a.producer_epoch = kind == Kind::init ? epoch : std::int16_t{-1};
    std::vector<PartitionResult> results;
    for (const PartitionRef& p : partitions)
      results.push_back({.topic = p.topic, .partition = p.partition, .error = error});
    a.partitions = results;
    talk.response([&] { talk.observer.on_txn_answer(c, a); }, serial);
  }
  void produce(std::int32_t sequence, std::int32_t count, std::int64_t at, std::int16_t epoch = 0,
               std::int16_t refusal = 47, Sequence verdict = Sequence::next) {
    Batch b;
    b.magic = 2;
    b.producer_id = 9;
    b.producer_epoch = epoch;
    b.base_sequence = sequence;
    b.count = count;
    b.last_offset_delta = count - 1;
    b.transactional = true;
    const auto serial = talk.request([&] {
      talk.observer.on_transactional_id("tx");
      talk.observer.on_batch(
          {.via = Via::produce, .topic = topic, .partition = 0, .batch = b, .sequence = verdict});
    });
    talk.response(
        [&] {
          talk.observer.on_produce_answered({.request_serial = serial,
                                             .topic = topic,
                                             .partition = 0,
                                             .error = at < 0 ? refusal : std::int16_t{0},
                                             .base_offset = at,
                                             .log_append_time = -1});
        },
        serial);
  }
  void marker(std::int64_t offset, std::int16_t type, std::int64_t written_ms = -1) {
    Batch b;
    b.magic = 2;
    b.producer_id = 9;
    b.control = true;
    b.max_timestamp = written_ms;
    b.base_offset = offset;
    talk.response(
        [&] {
          talk.observer.on_batch({.via = Via::fetch, .topic = topic, .partition = 0, .batch = b, .control_type = type});
        },
        talk.request([] {}, 1), 1);
  }
};

TEST(Txns, FromTheFirstCallToTheEnd) {
  TxnObserver observer;
  Talk talk(observer);
  Client c{talk};
  c.call(Kind::init, 0);                                    // packets 1, 2
  c.call(Kind::add_partitions, 0, 0, false, {{topic, 0}});  // 3, 4
  c.produce(0, 3, 100);                                     // 5, 6
  c.call(Kind::end, 0, 0, true);                            // 7, 8
  const TxnsSeen seen = observer.finish(Cluster());
  ASSERT_EQ(seen.producers.size(), 1u);
  const Producer& p = seen.producers[0];
  EXPECT_TRUE(p.own_adds);
  EXPECT_FALSE(p.implied_adds);
  EXPECT_EQ(p.committed, 1u);
  ASSERT_EQ(p.transactions.size(), 1u);
  const Txn& t = p.transactions[0];
  EXPECT_EQ(t.outcome, Outcome::committed);
  EXPECT_TRUE(t.begin_known);
  EXPECT_EQ(t.begin.packet, 3u);
  EXPECT_EQ(t.end.packet, 8u);
  const TxnPartition& part = t.partitions.begin()->second;
  EXPECT_EQ(part.first_offset, 100);
  EXPECT_EQ(part.last_offset, 102);
}

// A capture that begins in the middle of a transaction can't say when it began.
TEST(Txns, BeginIsUnknownWithoutWhatWasBefore) {
  TxnObserver observer;
  Talk talk(observer);
  Client c{talk};
  c.produce(5, 2, 200);
  c.call(Kind::end, 0, 0, false);
  c.produce(7, 2, 300);  // after an end that was seen
  const TxnsSeen seen = observer.finish(Cluster());
  ASSERT_EQ(seen.producers[0].transactions.size(), 2u);
  EXPECT_FALSE(seen.producers[0].transactions[0].begin_known);
  EXPECT_EQ(seen.producers[0].transactions[0].outcome, Outcome::aborted);
  EXPECT_TRUE(seen.producers[0].transactions[1].begin_known);
  EXPECT_EQ(seen.producers[0].transactions[1].outcome, Outcome::open);
  EXPECT_TRUE(seen.producers[0].implied_adds);
}

TEST(Txns, LossMakesItIncomplete) {
  TxnObserver observer;
  Talk talk(observer);
  Client c{talk};
  c.call(Kind::init, 0);
  c.produce(0, 1, 10);
  observer.on_gap(talk.info, {.from = Side::client, .offset = 0, .bytes = 9, .at = talk.now(), .cut = false});
  c.call(Kind::end, 0, 0, true);
  const TxnsSeen seen = observer.finish(Cluster());
  EXPECT_TRUE(seen.producers[0].transactions[0].begin_known);
  EXPECT_FALSE(seen.producers[0].transactions[0].whole);
}

TEST(Txns, FencedByANewerOneAndAbortedByTheBroker) {
  TxnObserver observer;
  Talk talk(observer);
  Client c{talk};
  c.call(Kind::init, 0);
  c.produce(0, 1, 10);
  c.call(Kind::init, 0, 1);  // another process takes the id
  c.produce(1, 1, -1);       // the old one goes on: INVALID_PRODUCER_EPOCH
  {
    TxnObserver& again = observer;
    c.marker(11, 0);
    (void)again;
  }
  const TxnsSeen seen = observer.finish(Cluster());
  ASSERT_EQ(seen.producers[0].transactions.size(), 1u);
  const Txn& t = seen.producers[0].transactions[0];
  EXPECT_EQ(t.outcome, Outcome::aborted);
  EXPECT_TRUE(t.by_marker);
  ASSERT_EQ(t.faults.size(), 1u);
  EXPECT_EQ(t.faults[0].error, 47);
  EXPECT_EQ(t.partitions.begin()->second.marker_offset, 11);
}

TEST(Txns, MarkersFindTheirTransactionByOffset) {
  TxnObserver observer;
  Talk talk(observer);
  Client c{talk};
  c.call(Kind::init, 0);
  c.produce(0, 2, 10);             // 10, 11
  c.call(Kind::end, 0, 0, true);   // marker at 12
  c.produce(2, 2, 13);             // 13, 14
  c.call(Kind::end, 0, 0, false);  // marker at 15
  c.marker(12, 1);
  c.marker(15, 0);
  c.marker(15, 0);  // another consumer
  c.marker(3, 1);   // of before the capture
  const TxnsSeen seen = observer.finish(Cluster());
  const Producer& p = seen.producers[0];
  EXPECT_EQ(p.transactions[0].partitions.begin()->second.marker_offset, 12);
  EXPECT_EQ(p.transactions[1].partitions.begin()->second.marker_offset, 15);
  ASSERT_EQ(p.markers.size(), 1u);
  EXPECT_EQ(p.markers[0].offset, 3);
}

TEST(Txns, WhoHoldsTheLastStableOffsetBack) {
  TxnObserver observer;
  Talk talk(observer);
  Client c{talk};
  c.call(Kind::init, 0);
  c.produce(0, 2, 10);
  const auto fetched = [&](std::int64_t stable, std::int64_t end) {
    talk.response(
        [&] {
          observer.on_partition_fetched(
              {.topic = topic, .partition = 0, .high_watermark = end, .last_stable_offset = stable});
        },
        talk.request([] {}, 1), 1);
  };
  fetched(10, 12);
  fetched(10, 40);
  fetched(41, 41);
  const TxnsSeen seen = observer.finish(Cluster());
  ASSERT_EQ(seen.held.size(), 1u);
  EXPECT_EQ(seen.held[0].most, 30);
  EXPECT_FALSE(seen.held[0].at_end);
  const Holder by = holder_of(seen.held[0], seen);
  ASSERT_EQ(by.producer, 0);
  EXPECT_EQ(by.transaction, 0);
}

TEST(Txns, FullTablesAreSaid) {
  TxnObserver observer({.producers = 1, .transactions = 2, .rows = 1, .faults = 0, .markers = 0});
  Talk talk(observer);
  Client c{talk};
  c.call(Kind::init, 0);
  for (int i = 0; i < 5; ++i) {
    c.produce(i, 1, 10 + i * 2);
    c.call(Kind::end, 0, 0, true);
  }
  const TxnsSeen seen = observer.finish(Cluster());
  EXPECT_EQ(seen.producers[0].transactions.size(), 2u);
  EXPECT_EQ(seen.producers[0].committed, 5u);  // counted all the same
  std::map<std::string, std::uint64_t> out;
  for (const story::Limit& l : seen.limits) out[l.table] = l.left_out;
  EXPECT_GT(out["transactions"], 0u);
  EXPECT_GT(out["partitions and offsets of transactions"], 0u);
}

// A consumer may come to a marker long after it was written; when that was, the marker says.
TEST(Txns, a_marker_tells_when_it_was_written) {
  for (const std::int64_t written : {4, 1, 2'000, -1}) {
    TxnObserver o;
    Talk talk(o);
    Client c{talk};
    c.call(Kind::init, 0);  // packets 1, 2, a millisecond each
    c.produce(0, 1, 10);    // 3, 4
    talk.packet += 1'000;
    c.marker(11, 0, written);
    const Cluster cluster;
    const TxnsSeen seen = o.finish(cluster);
    const Txn& t = seen.producers[0].transactions[0];
    EXPECT_EQ(t.outcome, Outcome::aborted);
    EXPECT_TRUE(t.by_marker);
    EXPECT_TRUE(t.whole);  // brokers abort by themselves
    EXPECT_EQ(t.end_known, written == 4) << written;
    if (t.end_known) {
      EXPECT_EQ(t.end.time_ns, 4'000'000);
    }
  }
}

// Whoever commits asks for it: where that wasn't seen, something is missing; and so where the connection lacks something.
TEST(Txns, a_marker_alone_makes_no_transaction_complete) {
  enum { commit, commit_asked, abort, abort_lost };
  for (const int which : {commit, commit_asked, abort, abort_lost}) {
    TxnObserver o;
    Talk talk(o);
    Client c{talk};
    c.call(Kind::init, 0);
    c.produce(0, 1, 10);
    if (which == commit_asked)
      talk.request([&] {
        TxnCall call;
        call.kind = Kind::end;
        call.transactional_id = "tx";
        call.producer_id = 9;
        call.producer_epoch = 0;
        call.committed = true;
        call.serial = talk.serial;
        o.on_txn_call(call);
      });
    c.marker(11, which == commit || which == commit_asked ? 1 : 0, 6);
    const Gap g{.from = Side::client, .offset = 0, .bytes = 9, .at = talk.now(), .cut = false};
    if (which == abort_lost) o.on_gap(talk.info, g);  // shown by what came later
    const Cluster cluster;
    const TxnsSeen seen = o.finish(cluster);
    EXPECT_EQ(seen.producers[0].transactions[0].whole, which == commit_asked || which == abort) << which;
  }
}

// Connections are told one after the other: the marker may come before the answer that made it.
TEST(Txns, an_answer_that_is_told_after_its_marker_ends_the_same_transaction) {
  TxnObserver o;
  Talk talk(o);
  Client c{talk};
  c.call(Kind::init, 0);
  c.produce(0, 1, 10);
  const std::uint64_t before = talk.packet;
  talk.packet += 10;
  c.marker(11, 1, 6);
  talk.packet = before;
  c.call(Kind::end, 0, 0, true);
  const Cluster cluster;
  const TxnsSeen seen = o.finish(cluster);
  ASSERT_EQ(seen.producers[0].transactions.size(), 1u);
  const Txn& t = seen.producers[0].transactions[0];
  EXPECT_EQ(seen.producers[0].committed, 1u);
  EXPECT_FALSE(t.by_marker);
  EXPECT_TRUE(t.whole);
  EXPECT_EQ(t.end.packet, before + 2);
}

// A broker that refuses the end of a transaction may know that there is none: then it isn't open, whatever ended it.
TEST(Txns, what_the_broker_says_is_not_open_is_not_open) {
  const std::pair<std::int16_t, Outcome> answers[] = {{48, Outcome::unknown},  // INVALID_TXN_STATE
                                                      {49, Outcome::unknown},  // INVALID_PRODUCER_ID_MAPPING
                                                      {47, Outcome::fenced},   // INVALID_PRODUCER_EPOCH
                                                      {90, Outcome::fenced},   // PRODUCER_FENCED
                                                      {51, Outcome::open},     // CONCURRENT_TRANSACTIONS: later
                                                      {16, Outcome::open}};    // NOT_COORDINATOR: elsewhere
  for (const auto& [error, outcome] : answers) {
    TxnObserver o;
    Talk talk(o);
    Client c{talk};
    c.call(Kind::init, 0);
    c.produce(0, 1, 10);
    c.call(Kind::end, error, 0, true);
    c.call(Kind::end, error, 0, true);  // again
    const Cluster cluster;
    const TxnsSeen seen = o.finish(cluster);
    const Producer& p = seen.producers[0];
    ASSERT_EQ(p.transactions.size(), 1u);
    EXPECT_EQ(p.transactions[0].outcome, outcome) << error;
    EXPECT_EQ(p.others, outcome == Outcome::open ? 0u : 1u) << error;
    EXPECT_EQ(p.transactions[0].end_known, outcome == Outcome::fenced) << error;
  }
}

TEST(Txns, what_was_refused_is_no_record_of_the_transaction) {
  const auto records = [](std::int16_t refusal, bool again) {
    TxnObserver o;
    Talk talk(o);
    Client c{talk};
    c.call(Kind::init, 0);
    c.produce(0, 2, 10);
    c.produce(2, 3, -1, 0, refusal);
    if (again) c.produce(2, 3, 12, 0, 0, Sequence::repeated);
    if (again) c.produce(2, 3, 12, 0, 0, Sequence::repeated);
    const Cluster cluster;
    const TxnsSeen seen = o.finish(cluster);
    EXPECT_EQ(seen.producers[0].transactions.size(), 1u);
    const TxnPartition& part = seen.producers[0].transactions[0].partitions.begin()->second;
    EXPECT_EQ(part.last_offset, again ? 14 : 11);
    return part.records;
  };
  EXPECT_EQ(records(47, false), 2u);  // INVALID_PRODUCER_EPOCH
  EXPECT_EQ(records(6, false), 2u);   // NOT_LEADER_OR_FOLLOWER
  EXPECT_EQ(records(6, true), 5u);
  EXPECT_EQ(records(20, false), 5u);  // NOT_ENOUGH_REPLICAS_AFTER_APPEND: it is in the log
  EXPECT_EQ(records(20, true), 5u);
}

// What was lost may be told after what came behind it on another connection.
TEST(Txns, a_begin_is_not_believed_where_something_was_lost_before_it) {
  for (const bool lost : {false, true}) {
    TxnObserver o;
    Talk talk(o);
    Client c{talk};
    c.call(Kind::init, 0);
    const Stamp before = talk.now();
    c.produce(0, 1, 0);
    const Stamp later = talk.now();
    c.call(Kind::end, 0, 0, true);
    Gap g{.from = Side::client, .offset = 0, .bytes = 10, .at = lost ? before : later, .cut = false};
    if (!lost) {  // behind the begin: shown by a packet after, and the connection was heard in between
      talk.info.number = 1;
      c.produce(1, 1, 1);
      g.at = talk.now();
    }
    g.at.time_ns += 500'000;
    o.on_gap(talk.info, g);
    const Cluster cluster;
    const TxnsSeen seen = o.finish(cluster);
    ASSERT_EQ(seen.producers.size(), 1u);
    EXPECT_EQ(seen.producers[0].transactions[0].begin_known, !lost);
  }
}

// A broker that adds a partition does so because of a request of the producer.
TEST(Txns, what_a_broker_does_for_a_producer_is_no_begin) {
  TxnObserver o;
  Talk talk(o);
  Client c{talk};
  c.call(Kind::init, 0);
  talk.client_id = "AddPartitionsManager-client-3";
  talk.info.number = 1;
  TxnCall added;
  added.kind = Kind::add_partitions;
  added.version = 5;
  added.transactional_id = "tx";
  added.producer_id = 9;
  added.producer_epoch = 0;
  const auto serial = talk.request([&] {
    added.first = added.at = talk.now();
    o.on_txn_call(added);
  });
  talk.response([&] { o.on_txn_answer(added, {}); }, serial);
  const Cluster cluster;
  const TxnsSeen seen = o.finish(cluster);
  ASSERT_EQ(seen.producers.size(), 1u);
  ASSERT_EQ(seen.producers[0].transactions.size(), 1u);
  EXPECT_FALSE(seen.producers[0].transactions[0].begin_known);
}

}  // namespace
}  // namespace kparse::txns
