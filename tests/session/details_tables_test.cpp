// SPDX-License-Identifier: MIT
// What connections know together of sessions and producers, and the requests that are kept: how they follow, and their bounds.
#include <gtest/gtest.h>

#include "session/cluster_state.h"
#include "session/kept_requests.h"

namespace kparse {
namespace {

Batch sent(std::int64_t id, std::int16_t epoch, std::int32_t sequence, std::int32_t count) {
  Batch b;
  b.magic = 2;
  b.producer_id = id;
  b.producer_epoch = epoch;
  b.base_sequence = sequence;
  b.last_offset_delta = count - 1;
  b.count = count;
  return b;
}

TEST(ProducersTest, SequencesFollow) {
  Producers p;
  const TopicRef t{.name = "t", .id = nullptr};
  EXPECT_EQ(p.follow(t, 0, sent(-1, -1, -1, 5)), Sequence::none);
  EXPECT_EQ(p.follow(t, 0, sent(1, 0, 0, 5)), Sequence::first);
  EXPECT_EQ(p.follow(t, 0, sent(1, 0, 5, 5)), Sequence::next);
  EXPECT_EQ(p.follow(t, 0, sent(1, 0, 5, 5)), Sequence::repeated);
  EXPECT_EQ(p.follow(t, 0, sent(1, 0, 0, 5)), Sequence::repeated);
  EXPECT_EQ(p.follow(t, 1, sent(1, 0, 0, 5)), Sequence::first);
  EXPECT_EQ(p.follow(t, 0, sent(1, 0, 12, 5)), Sequence::gap);
  EXPECT_EQ(p.follow(t, 0, sent(1, 0, 17, 1)), Sequence::next);
  EXPECT_EQ(p.follow(t, 0, sent(1, 1, 0, 5)), Sequence::new_epoch);
  EXPECT_EQ(p.follow(t, 0, sent(1, 0, 18, 1)), Sequence::old_epoch);
  EXPECT_EQ(p.follow(t, 0, sent(1, 1, 5, 1)), Sequence::next);
}

// Kafka's DefaultRecordBatch.incrementSequence: after the largest int32 comes 0.
TEST(ProducersTest, SequencesWrap) {
  Producers p;
  const TopicRef t{.name = "t", .id = nullptr};
  EXPECT_EQ(p.follow(t, 0, sent(1, 0, 0x7ffffffe, 3)), Sequence::first);  // ...fe, ...ff, 0
  EXPECT_EQ(p.follow(t, 0, sent(1, 0, 1, 1)), Sequence::next);
}

TEST(ProducersTest, Bounded) {
  Producers p;
  const TopicRef t{.name = "t", .id = nullptr};
  for (std::size_t i = 0; i < Producers::limit + 7; ++i) p.follow(t, 0, sent(static_cast<std::int64_t>(i), 0, 0, 1));
  EXPECT_EQ(p.left_out(), 7u);
  EXPECT_EQ(p.follow(t, 0, sent(0, 0, 1, 1)), Sequence::next);
}

TEST(FetchSessionsTest, OldestMakesRoom) {
  FetchSessions s;
  const FetchTarget one{.topic = {.name = "t", .id = nullptr}, .partition = 0, .offset = 1, .leader_epoch = -1};
  for (std::size_t i = 0; i < FetchSessions::max_sessions + 3; ++i)
    s.open("b:9092", static_cast<std::int32_t>(i + 1), {&one, 1});
  EXPECT_EQ(s.size(), FetchSessions::max_sessions);
  EXPECT_EQ(s.left_out(), 3u);
  EXPECT_EQ(s.find("b:9092", 3), nullptr);
  EXPECT_NE(s.find("b:9092", 4), nullptr);
}

TEST(FetchSessionsTest, PartitionsAreBounded) {
  FetchSessions s;
  std::vector<FetchTarget> many(FetchSessions::max_partitions + 1);
  for (std::size_t i = 0; i < many.size(); ++i)
    many[i] = {.topic = {.name = "t", .id = nullptr},
               .partition = static_cast<std::int32_t>(i),
               .offset = 0,
               .leader_epoch = -1};
  s.open("b:9092", 1, many);
  EXPECT_EQ(s.find("b:9092", 1), nullptr);
  EXPECT_EQ(s.left_out(), 1u);
  s.open("b:9092", 2, std::span(many).first(10));
  ASSERT_NE(s.find("b:9092", 2), nullptr);
  // It grows past the bound with what follows.
  FetchAsked asked{.kind = FetchAsked::Kind::incremental, .session_id = 2, .session_epoch = 1, .named = many};
  EXPECT_EQ(s.follow("b:9092", asked), nullptr);
  EXPECT_EQ(s.find("b:9092", 2), nullptr);
}

TEST(KeptRequestsTest, OldestMakeRoom) {
  KeptRequests k;
  Request r;
  const std::vector<std::uint8_t> body(10, 1);
  r.body = body;
  for (std::uint64_t i = 0; i < KeptRequests::max_requests + 2; ++i) {
    r.serial = i;
    ASSERT_NE(k.put(r), nullptr);
  }
  EXPECT_EQ(k.find(1), nullptr);
  ASSERT_NE(k.find(2), nullptr);
  EXPECT_EQ(k.find(2)->body, body);
  EXPECT_EQ(k.left_out(), 2u);
  const std::vector<std::uint8_t> large(KeptRequests::max_body, 1), too_large(KeptRequests::max_body + 1, 1);
  for (std::uint64_t i = 0; i < 5; ++i) {
    r.serial = 10'000 + i;
    r.body = large;
    ASSERT_NE(k.put(r), nullptr);
  }
  EXPECT_EQ(k.find(10'000), nullptr);  // together at most max_bytes
  EXPECT_NE(k.find(10'004), nullptr);
  r.serial = 20'000;
  r.body = too_large;
  EXPECT_EQ(k.put(r), nullptr);
}

}  // namespace
}  // namespace kparse
