// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "details/detail_observer.h"
#include "support.h"

namespace kparse::details {
namespace {

const PartitionKey p0{1, 0}, p1{1, 1};

std::int64_t at(ProducedTimes& t, const PartitionKey& p, std::int64_t offset) {
  const std::int64_t* const found = t.find(p, offset);
  return found ? *found : -1;
}

TEST(ProducedTimes, by_partition_and_first_offset) {
  ProducedTimes t(100);
  t.put(p0, 0, 10);
  t.put(p1, 0, 20);
  t.put(p0, 5, 30);
  EXPECT_EQ(at(t, p0, 0), 10);
  EXPECT_EQ(at(t, p0, 5), 30);
  EXPECT_EQ(at(t, p1, 0), 20);
  EXPECT_EQ(at(t, p0, 3), -1);
  EXPECT_EQ(at(t, p1, 5), -1);
  EXPECT_EQ(at(t, p0, 0), 10);  // another reader begins again
}

TEST(ProducedTimes, the_first_time_counts_and_late_ones_find_their_place) {
  ProducedTimes t(100);
  t.put(p0, 5, 30);
  t.put(p0, 5, 40);
  t.put(p0, 3, 35);
  EXPECT_EQ(at(t, p0, 3), 35);
  EXPECT_EQ(at(t, p0, 5), 30);
}

TEST(ProducedTimes, a_log_that_begins_anew) {
  ProducedTimes t(1000);
  for (int i = 0; i < 200; ++i) t.put(p0, 100 + i, i);
  t.put(p0, 0, 777);
  EXPECT_EQ(at(t, p0, 0), 777);
  EXPECT_EQ(at(t, p0, 100), -1);
  EXPECT_EQ(t.left_out(), 200u);
}

TEST(ProducedTimes, bounded_the_newest_are_kept) {
  ProducedTimes t(10);
  for (int i = 0; i < 1000; ++i) t.put(i % 2 ? p0 : p1, i, i);
  EXPECT_EQ(at(t, p0, 999), 999);
  EXPECT_EQ(at(t, p1, 0), -1);
  EXPECT_GE(t.left_out(), 990u);
}

struct Exchange {
  test::Talk& talk;
  TopicRef topic{.name = "t", .id = nullptr};

  void produce(std::int64_t base) {
    const auto serial = talk.request([] {});
    talk.response(
        [&] {
          talk.observer.on_produce_answered({.request_serial = serial, .topic = topic, .partition = 0, .error = 0,
                                             .base_offset = base, .log_append_time = -1});
        },
        serial);
  }
  void fetch(std::int64_t base, std::int32_t count) {
    Batch b;
    b.magic = 2;
    b.base_offset = base;
    b.count = count;
    talk.response(
        [&] {
          FetchAnswered f;
          f.replica_id = -1;
          talk.observer.on_fetch_answered(f);
          talk.observer.on_batch({.via = Via::fetch, .topic = topic, .partition = 0, .batch = b});
        },
        talk.request([] {}, 1), 1);
  }
};

TEST(Details, delay_runs_from_the_whole_request_to_the_whole_answer_and_counts_once_for_a_client) {
  DetailObserver o;
  test::Talk talk(o);
  Exchange e{talk};
  e.produce(7);   // asked in packet 1, a millisecond each
  e.fetch(7, 3);  // answered in packet 4
  e.fetch(7, 3);
  e.fetch(9, 1);  // nobody saw it produced
  const Cluster cluster;
  const DetailsSeen seen = o.finish(cluster);
  ASSERT_EQ(seen.delays.size(), 1u);
  EXPECT_EQ(seen.delays.begin()->second.count(), 3u);
  EXPECT_EQ(seen.delays.begin()->second.max(), 3'000'000);
}

TEST(Details, no_delay_from_a_request_that_lacks_bytes) {
  DetailObserver o;
  test::Talk talk(o);
  Exchange e{talk};
  const auto serial = talk.request([] {});
  Response r;
  r.matched = true;
  r.serial = serial;
  r.request_whole = false;
  o.begin_response(talk.info, r);
  o.on_produce_answered({.request_serial = serial, .topic = e.topic, .partition = 0, .error = 0, .base_offset = 7,
                         .log_append_time = -1});
  o.end_response(talk.info, r, {});
  e.fetch(7, 1);
  const Cluster cluster;
  EXPECT_TRUE(o.finish(cluster).delays.empty());
}

}  // namespace
}  // namespace kparse::details
