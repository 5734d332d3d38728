// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "kparse/record_walk.h"
#include "support.h"
#include "trace/context.h"
#include "trace/trace_observer.h"

namespace kparse::trace {
namespace {

/// A batch of magic 2 whose records have one header each, "" none.
std::vector<std::uint8_t> batch(std::int64_t base, int count, std::string_view name = {}, std::string_view value = {}) {
  std::vector<std::uint8_t> out;
  const auto be = [&](std::uint64_t v, int bytes) {
    for (int s = bytes * 8 - 8; s >= 0; s -= 8) out.push_back(static_cast<std::uint8_t>(v >> s));
  };
  std::vector<std::uint8_t> records;
  for (int i = 0; i < count; ++i) {
    std::vector<std::uint8_t> r;
    const auto varint = [](std::vector<std::uint8_t>& to, std::int32_t v) {
      std::uint32_t z = (static_cast<std::uint32_t>(v) << 1) ^ static_cast<std::uint32_t>(v >> 31);
      for (; z >= 0x80; z >>= 7) to.push_back(static_cast<std::uint8_t>(z | 0x80));
      to.push_back(static_cast<std::uint8_t>(z));
    };
    r.push_back(0);
    varint(r, 0);
    varint(r, i);
    varint(r, 1);
    r.push_back('k');
    varint(r, -1);
    varint(r, name.empty() ? 0 : 1);
    if (!name.empty()) {
      varint(r, static_cast<std::int32_t>(name.size()));
      r.insert(r.end(), name.begin(), name.end());
      varint(r, static_cast<std::int32_t>(value.size()));
      r.insert(r.end(), value.begin(), value.end());
    }
    varint(records, static_cast<std::int32_t>(r.size()));
    records.insert(records.end(), r.begin(), r.end());
  }
  be(static_cast<std::uint64_t>(base), 8);
  be(49 + records.size(), 4);
  be(0xffffffff, 4);
  be(2, 1);
  be(0, 4);
  be(0, 2);
  be(static_cast<std::uint64_t>(count - 1), 4);
  be(1700000000000, 8);
  be(1700000000000, 8);
  be(~0ull, 8);
  be(0xffff, 2);
  be(0xffffffff, 4);
  be(static_cast<std::uint64_t>(count), 4);
  out.insert(out.end(), records.begin(), records.end());
  return out;
}

Context of(std::string_view name, std::string_view value) {
  struct Take : RecordSink {
    Context c;
    void record(const Batch&, const Record& r) noexcept { c = context_of(r); }
  } take;
  const auto bytes = batch(0, 1, name, value);
  Scratch scratch;
  read_records(bytes, RecordOptions{.verify_crc = false}, scratch, take);
  return take.c;
}

// Examples of the conventions' own documentation.
TEST(TraceContext, IdsOfAllConventions) {
  EXPECT_EQ(of("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01").id,
            "0af7651916cd43dd8448eb211c80319c");
  EXPECT_EQ(of("b3", "80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-1").id, "80f198ee56343ba864fe8b2a57d3eff7");
  EXPECT_EQ(of("X-B3-TraceId", "463ac35c9f6413ad48485a3953bb6124").id, "463ac35c9f6413ad48485a3953bb6124");
  EXPECT_EQ(of("uber-trace-id", "4bf92f3577b34da6a3ce929d0e0e4736:00f067aa0ba902b7:0:1").id,
            "4bf92f3577b34da6a3ce929d0e0e4736");
  EXPECT_EQ(of("x-datadog-trace-id", "1234567890").id, "1234567890");
  EXPECT_EQ(of("X-Amzn-Trace-Id", "Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1").id,
            "5759e988bd862e3fe1be46a994272793");
}

TEST(TraceContext, WrongOnesAreNotValid) {
  for (const auto& [name, value] : {std::pair{"traceparent", "00-00000000000000000000000000000000-b7ad6b7169203331-01"},
                                    std::pair{"b3", "0"}, std::pair{"uber-trace-id", "x:1:0:1"},
                                    std::pair{"x-datadog-trace-id", "12a"}, std::pair{"X-Amzn-Trace-Id", "Self=1"}}) {
    const Context c = of(name, value);
    EXPECT_TRUE(c.any) << name;
    EXPECT_FALSE(c.valid) << name;
  }
  EXPECT_FALSE(of("other", "x").any);
}

const TopicRef topic{.name = "t", .id = nullptr};

struct Flow {
  Options options;
  TraceObserver observer{options};
  test::Talk producer{observer}, consumer{observer};

  explicit Flow(const Options& o = {}) : options(o), observer(o) {
    consumer.info.number = 1;
    consumer.info.client = "10.0.0.3:1000";
    consumer.client_id = "reader";
    options.records.verify_crc = false;
  }
  void produce(std::int64_t at, int count, std::int16_t error = 0) {
    const auto bytes = batch(0, count);
    const auto serial = producer.request(
        [&] { observer.on_records({.via = Via::produce, .topic = topic, .partition = 0, .records = bytes}); });
    producer.response(
        [&] {
          observer.on_produce_answered({.request_serial = serial,
                                        .topic = topic,
                                        .partition = 0,
                                        .error = error,
                                        .base_offset = at,
                                        .log_append_time = -1});
        },
        serial);
  }
  void fetch(std::int64_t base, int count, std::int64_t asked = -1) {
    consumer.packet = producer.packet + 10;
    const auto bytes = batch(base, count);
    const auto serial = consumer.request([] {}, 1);
    consumer.response(
        [&] {
          observer.on_records({.via = Via::fetch, .topic = topic, .partition = 0, .records = bytes});
          observer.on_partition_fetched({.topic = topic, .partition = 0, .asked_offset = asked});
        },
        serial, 1);
  }
};

TEST(Trace, EachRecordFindsItsProduction) {
  Flow f;
  f.produce(100, 3);
  f.fetch(100, 3, 101);  // the batch comes whole, the first record isn't asked for
  f.fetch(90, 2);        // of before the capture
  const TraceSeen seen = f.observer.finish(Cluster());
  std::map<std::int64_t, std::pair<bool, std::size_t>> ways;
  each_way(seen, [&](Way& w) {
    ways[w.offset] = {w.written != nullptr, w.read.size()};
    return true;
  });
  const std::map<std::int64_t, std::pair<bool, std::size_t>> expected{
      {90, {false, 1}}, {91, {false, 1}}, {100, {true, 0}}, {101, {true, 1}}, {102, {true, 1}}};
  EXPECT_EQ(ways, expected);
  ASSERT_EQ(seen.delays.size(), 1u);
  EXPECT_EQ(seen.delays[0].records, 4u);
  EXPECT_EQ(seen.delays[0].matched, 2u);
  EXPECT_EQ(seen.delays[0].ns.max(), 13'000'000);  // packets 1 and 14
}

// Who reads again is not late.
TEST(Trace, ReadingAgainIsNoDelay) {
  Flow f;
  f.produce(0, 2);
  f.fetch(0, 2);
  f.producer.packet += 1000;
  f.fetch(0, 2);
  const TraceSeen seen = f.observer.finish(Cluster());
  EXPECT_EQ(seen.delays[0].records, 2u);
  EXPECT_LT(seen.delays[0].ns.max(), 100'000'000);
}

TEST(Trace, RefusedAndUnansweredRecordsAreNotJoined) {
  Flow f;
  f.produce(5, 2, 3);
  const auto bytes = batch(0, 4);
  f.producer.request(
      [&] { f.observer.on_records({.via = Via::produce, .topic = topic, .partition = 0, .records = bytes}); });
  const TraceSeen seen = f.observer.finish(Cluster());
  EXPECT_EQ(seen.failed, 2u);
  EXPECT_EQ(seen.without_offset, 4u);
  EXPECT_TRUE(seen.written.empty());
}

// One host, one client id, one after the other: a program that was gone before the group began isn't of it.
TEST(Trace, AReaderHasTheGroupOfItsOwnTime) {
  Flow f;
  const auto member = [&](GroupCall::Kind kind, std::uint64_t packet) {
    test::Talk talk(f.observer);
    talk.info.number = 2;
    talk.info.client = "10.0.0.3:1001";
    talk.client_id = "reader";
    talk.packet = packet;
    talk.request([&] {
      GroupCall c;
      c.kind = kind;
      c.group = "g";
      f.observer.on_group_call(c);
    });
  };
  const auto read = [&](std::uint64_t connection, std::uint64_t packet, std::int64_t offset) {
    f.consumer.info.number = connection;
    f.producer.packet = packet;
    f.fetch(offset, 1);
  };
  read(10, 100, 0);  // gone before
  read(11, 200, 1);  // the capture begins in its midst: the heartbeat is later
  member(GroupCall::Kind::heartbeat, 300);
  read(11, 400, 2);
  member(GroupCall::Kind::leave, 500);
  read(12, 600, 3);  // began after
  const TraceSeen seen = f.observer.finish(Cluster());
  ASSERT_EQ(seen.read.size(), 4u);
  const std::string_view expected[] = {"", "g", "g", ""};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(seen.actors[seen.read[i].actor].group, expected[i]) << i;
  EXPECT_EQ(seen.delays.size(), 2u);
}

TEST(Trace, FullTablesAreSaid) {
  Options small;
  small.max_written = 2;
  small.max_read = 1;
  Flow f(small);
  for (int i = 0; i < 5; ++i) f.produce(i * 10, 1);
  for (int i = 0; i < 3; ++i) f.fetch(i * 10, 1);
  const TraceSeen seen = f.observer.finish(Cluster());
  EXPECT_EQ(seen.written.size(), 2u);
  EXPECT_EQ(seen.read.size(), 1u);
  EXPECT_EQ(seen.limits[0].left_out, 3u);
  EXPECT_EQ(seen.limits[1].left_out, 2u);
}

}  // namespace
}  // namespace kparse::trace
