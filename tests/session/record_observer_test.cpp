// SPDX-License-Identifier: MIT
#include "records/record_observer.h"

#include <gtest/gtest.h>

#include <utility>

#include "build.h"

namespace kparse::cli {
namespace {

using test::batch;
using Lines = std::vector<std::string>;

/// Writes "VIA CLIENT TOPIC-PARTITION@OFFSET VALUE" for each record.
struct Written final : RecordOut {
  Lines lines;
  std::string place;

  void begin_field(const RecordsPlace& p) override {
    place = std::string(name_of(p.via)) + " " + (p.client_id_null ? "null" : std::string(p.client_id)) + " " +
            (p.topic.empty() ? "?" : std::string(p.topic)) + "-" + std::to_string(p.partition) + "@";
  }
  void begin_batch(const Batch&) override {}
  void record(const Batch&, const Record& r, std::optional<std::int64_t> offset) override {
    lines.push_back(place + (offset ? std::to_string(*offset) : "null") + " " + std::string(text(r.value)));
  }
};

class RecordObserverTest : public testing::Test {
 protected:
  struct Produced {
    TopicRef topic;
    std::int32_t partition;
    std::vector<std::string> values;
  };
  std::uint64_t produce(RecordObserver& o, const std::vector<Produced>& parts, bool answer = true, std::string_view client = "c") {
    Request r = request(client);
    r.answer_expected = answer;
    o.begin_request(info_, r);
    for (const Produced& p : parts) {
      const auto set = batch(0, p.values);
      o.on_records({.via = Via::produce, .topic = p.topic, .partition = p.partition, .records = set, .position = 0, .unread = 0});
    }
    o.end_request(info_, r, {});
    return r.serial;
  }
  struct Answered {
    TopicRef topic;
    std::int32_t partition;
    std::int64_t base_offset;
    std::int16_t error = 0;
  };
  void answer(RecordObserver& o, std::uint64_t serial, const std::vector<Answered>& parts) {
    Response r;
    r.matched = true;
    r.serial = serial;
    o.begin_response(info_, r);
    for (const Answered& a : parts)
      o.on_produce_answered({.request_serial = serial,
                             .topic = a.topic,
                             .partition = a.partition,
                             .error = a.error,
                             .base_offset = a.base_offset,
                             .log_append_time = -1});
    o.end_response(info_, r, {});
  }
  Request request(std::string_view client) {
    Request r;
    r.serial = serial_++;
    r.client_id = client;
    r.client_id_null = false;
    return r;
  }
  Lines take() { return std::exchange(out_.lines, {}); }

  static TopicRef named(std::string_view name) { return {.name = name, .id = nullptr}; }

  ConversationInfo info_{.number = 3, .client = "a:1", .server = "b:2", .proxied = {}, .role_guessed = false};
  Cluster cluster_;
  Written out_;
  RecordObserver observer_{cluster_, {}, out_};
  std::uint64_t serial_ = 0;
};

TEST_F(RecordObserverTest, ProducedRecordsWaitForTheirOffsets) {
  const auto first = produce(observer_, {{named("t"), 0, {"x", "y"}}, {named("u"), 0, {"z"}}});
  const auto second = produce(observer_, {{named("t"), 0, {"w"}}});
  EXPECT_EQ(take(), Lines{});
  answer(observer_, first, {{named("u"), 0, 7}, {named("t"), 0, 40}});  // not in the request's order
  EXPECT_EQ(take(), (Lines{"produce c t-0@40 x", "produce c t-0@41 y", "produce c u-0@7 z"}));
  answer(observer_, second, {{named("t"), 0, 42}});
  EXPECT_EQ(take(), (Lines{"produce c t-0@42 w"}));
  observer_.on_close(info_, {});
  EXPECT_EQ(take(), Lines{});
}

TEST_F(RecordObserverTest, AnswersMayComeInAnyOrder) {
  std::vector<std::uint64_t> serials;
  for (const char* v : {"a", "b", "c", "d"}) serials.push_back(produce(observer_, {{named("t"), 0, {v}}}));
  answer(observer_, serials[2], {{named("t"), 0, 12}});
  answer(observer_, serials[0], {{named("t"), 0, 10}});
  EXPECT_EQ(take(), (Lines{"produce c t-0@12 c", "produce c t-0@10 a"}));
  answer(observer_, serials[0], {{named("t"), 0, 10}});
  observer_.on_unanswered(info_, serials[3]);
  EXPECT_EQ(take(), (Lines{"produce c t-0@null d"}));
  observer_.on_close(info_, {});
  EXPECT_EQ(take(), (Lines{"produce c t-0@null b"}));
}

TEST_F(RecordObserverTest, WithoutAnAnswerTheOffsetIsUnknown) {
  produce(observer_, {{named("t"), 0, {"acks=0"}}}, false);
  EXPECT_EQ(take(), (Lines{"produce c t-0@null acks=0"}));
  observer_.on_unanswered(info_, produce(observer_, {{named("t"), 0, {"lost"}}}));
  EXPECT_EQ(take(), (Lines{"produce c t-0@null lost"}));
  produce(observer_, {{named("t"), 0, {"last"}}});
  observer_.on_close(info_, {});
  EXPECT_EQ(take(), (Lines{"produce c t-0@null last"}));
}

TEST_F(RecordObserverTest, ARefusedBatchHasNoOffset) {
  const auto serial = produce(observer_, {{named("t"), 0, {"x"}}, {named("t"), 1, {"y"}}, {named("t"), 2, {"z"}}});
  answer(observer_, serial, {{named("t"), 0, 0, 6}, {named("t"), 1, -1}});  // nothing is said of partition 2
  EXPECT_EQ(take(), (Lines{"produce c t-0@null x", "produce c t-1@null y", "produce c t-2@null z"}));
}

TEST_F(RecordObserverTest, TheOldestGoWhenTooMuchWaits) {
  RecordObserver small(cluster_, {}, out_, 2000);
  const std::string big(900, 'b');
  const auto first = produce(small, {{named("t"), 0, {"1" + big}}});
  EXPECT_EQ(take(), Lines{});
  const auto second = produce(small, {{named("t"), 0, {"2" + big}}});
  EXPECT_EQ(take(), (Lines{"produce c t-0@null 1" + big}));
  answer(small, first, {{named("t"), 0, 10}});
  EXPECT_EQ(take(), Lines{});  // not twice
  answer(small, second, {{named("t"), 0, 11}});
  EXPECT_EQ(take(), (Lines{"produce c t-0@11 2" + big}));
}

TEST_F(RecordObserverTest, AnIdNamedMeanwhileIsNamed) {
  const std::vector<std::uint8_t> id(16, 5);
  const auto serial = produce(observer_, {{{.name = {}, .id = id.data()}, 0, {"x"}}});
  cluster_.learn_topic(id.data(), "orders");
  answer(observer_, serial, {{{.name = "orders", .id = id.data()}, 0, 3}});
  EXPECT_EQ(take(), (Lines{"produce c orders-0@3 x"}));
}

TEST_F(RecordObserverTest, FetchedRecordsHaveTheClientOfTheirRequest) {
  const Request one = request("one"), two = request("two");
  for (const Request* r : {&one, &two}) {
    observer_.begin_request(info_, *r);
    observer_.end_request(info_, *r, {});
  }
  const auto set = batch(17, {"x", "y"});
  for (const Request* q : {&one, &two}) {
    Response r;
    r.matched = true;
    r.serial = q->serial;
    observer_.begin_response(info_, r);
    observer_.on_records({.via = Via::fetch, .topic = named("t"), .partition = 2, .records = set, .position = 0, .unread = 0});
    observer_.end_response(info_, r, {});
  }
  EXPECT_EQ(take(), (Lines{"fetch one t-2@17 x", "fetch one t-2@18 y", "fetch two t-2@17 x", "fetch two t-2@18 y"}));
}

TEST_F(RecordObserverTest, APartialBatchInAFetchIsNormal) {
  auto set = batch(17, {"x"});
  const auto cut = batch(18, {"y"});
  set.insert(set.end(), cut.begin(), cut.end() - 3);
  auto give = [&](Via via) {
    const Request q = request("c");
    observer_.begin_request(info_, q);
    observer_.end_request(info_, q, {});
    Response r;
    r.matched = true;
    r.serial = q.serial;
    observer_.begin_response(info_, r);
    observer_.on_records({.via = via, .topic = named("t"), .partition = 0, .records = set, .position = 0, .unread = 0});
    observer_.end_response(info_, r, {});
  };
  give(Via::fetch);
  EXPECT_EQ(observer_.unread().batches, 0u);
  give(Via::snapshot);
  EXPECT_EQ(observer_.unread().batches, 1u);
  EXPECT_EQ(take().size(), 2u);
}

}  // namespace
}  // namespace kparse::cli
