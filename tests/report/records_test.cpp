// SPDX-License-Identifier: MIT
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "kparse/record_walk.h"
#include "support.h"

namespace kparse::report {
namespace {

const std::string trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

struct Counted {
  ReportData data;
  std::vector<NamedTopic> topics;
  std::vector<NamedHeader> headers;
};

Counted count(const std::vector<std::vector<std::uint8_t>>& sets, Via via = Via::fetch) {
  ReportObserver observer({});
  Script script(observer);
  auto t = script.talk(1);
  script.request(t, {.key = 1, .version = 12, .client_id = "x"}, at(0, 1), [&](Observer& o) {
    for (const auto& set : sets) o.on_records({.via = via, .topic = {.name = "orders"}, .partition = 3, .records = bytes(set)});
  });
  Counted c{observer.finish(), {}, {}};
  const Cluster cluster;
  c.topics = named_topics(c.data.topics, cluster);
  c.headers = named_headers(c.data.headers, cluster);
  return c;
}

const NamedHeader& header(const Counted& c, const std::string& name) {
  for (const NamedHeader& h : c.headers) {
    if (h.name == name) return h;
  }
  static const NamedHeader none;
  return none;
}

TEST(RecordCounter, CountsRecordsBytesAndHeaders) {
  const Counted c = count({batch({{.key = "key", .value = "value", .headers = {{"a", "xyz"}, {"b", std::nullopt}}},
                                  {.key = std::nullopt, .value = std::nullopt, .headers = {{"a", ""}}},
                                  {.key = "", .value = "v", .headers = {}}})});
  const Seen& s = c.data.seen;
  EXPECT_EQ(s.batches, 1u);
  EXPECT_EQ(s.crc_bad, 0u);
  EXPECT_EQ(s.records, 3u);
  EXPECT_EQ(s.records_fetched, 3u);
  EXPECT_EQ(s.headers, 3u);
  EXPECT_EQ(s.key_bytes, 3u);
  EXPECT_EQ(s.value_bytes, 6u);
  EXPECT_EQ(s.header_bytes, 1u + 3 + 1 + 1);
  ASSERT_EQ(c.topics.size(), 1u);
  const TopicRow& row = c.topics[0].row;
  EXPECT_EQ(row.fetched.records, 3u);
  EXPECT_EQ(row.null_keys, 1u);
  EXPECT_EQ(row.null_values, 1u);
  EXPECT_EQ(row.with_headers, 2u);
  EXPECT_EQ(row.record_bytes.max(), 8 + 5);
  EXPECT_EQ(row.records_per_batch.percentile(50), 3);
  EXPECT_EQ(row.codecs[0], 1u);
  EXPECT_EQ(header(c, "a").count, 2u);
  EXPECT_EQ(header(c, "a").bytes, 5u);
  EXPECT_EQ(header(c, "a").nulls, 0u) << "empty is not null";
  EXPECT_EQ(header(c, "b").nulls, 1u);
}

TEST(RecordCounter, ANameTwiceInARecordCountsTwice) {
  const Counted c = count({batch({{.key = "k", .value = "v", .headers = {{"dup", "1"}, {"dup", "2"}, {"x", "3"}}},
                                  {.key = "k", .value = "v", .headers = {{"dup", "1"}}}})});
  EXPECT_EQ(header(c, "dup").count, 3u);
  EXPECT_EQ(header(c, "x").count, 1u);
}

TEST(RecordCounter, RecordsThatCarryANameCountOnce) {
  const auto twice = batch({{.key = "k", .value = "v", .headers = {{"dup", "1"}, {"x", "2"}, {"dup", "3"}, {"dup", "4"}}},
                            {.key = "k", .value = "v", .headers = {{"x", "1"}}},
                            {.key = "k", .value = "v", .headers = {{"y", "1"}, {"dup", "2"}}}});
  const auto once = batch({{.key = "k", .value = "v", .headers = {{"dup", "1"}}}});
  const Counted c = count({twice, once, once});
  EXPECT_EQ(header(c, "dup").count, 6u);
  EXPECT_EQ(header(c, "dup").records, 4u);
  EXPECT_EQ(header(c, "x").records, 2u);
  EXPECT_EQ(header(c, "y").records, 1u);
}

// The names of the record before are a short cut, not an assumption: places change, names share a length or a prefix.
TEST(RecordCounter, HeadersThatMoveAreStillCountedRight) {
  std::vector<Made> records;
  std::map<std::string, std::uint64_t> truth;
  const std::vector<std::string> names = {"a", "b", "", "correlation-id", "correlation-ix", "x-very-long-header-name-1", "x-very-long-header-name-2", "größe"};
  for (std::size_t i = 0; i < 500; ++i) {
    Made r{.key = "k", .value = "v", .headers = {}};
    for (std::size_t j = 0; j < i % 5; ++j) {
      const std::string& name = names[(i * 3 + j * (1 + i % 2)) % names.size()];
      r.headers.emplace_back(name, "v");
      ++truth[name];
    }
    records.push_back(std::move(r));
  }
  const Counted c = count({batch(records), batch(records)});
  for (const auto& [name, n] : truth) EXPECT_EQ(header(c, name).count, 2 * n) << name;
  EXPECT_EQ(c.headers.size(), truth.size());
}

TEST(RecordCounter, ManyHeadersInOneRecord) {
  Made r{.key = "k", .value = "v", .headers = {}};
  for (int i = 0; i < 1000; ++i) r.headers.emplace_back("h" + std::to_string(i), "v");
  const Counted c = count({batch({r, r})});
  EXPECT_EQ(c.headers.size(), 1000u);
  for (const NamedHeader& h : c.headers) EXPECT_EQ(h.count, 2u);
}

TEST(RecordCounter, TraceparentsAreJudged) {
  const Counted c = count({batch({{.key = "k", .value = "v", .headers = {{"traceparent", trace}}},
                                  {.key = "k", .value = "v", .headers = {{"traceparent", "\"" + trace + "\""}}},
                                  {.key = "k", .value = "v", .headers = {{"traceparent", std::nullopt}}}})});
  EXPECT_EQ(header(c, "traceparent").count, 3u);
  EXPECT_EQ(header(c, "traceparent").invalid, 2u);
  EXPECT_EQ(header(c, "traceparent").kind, "traceparent");
}

TEST(RecordCounter, BadChecksumsAndBrokenBatches) {
  std::vector<std::uint8_t> broken = batch({{.key = "k", .value = "v", .headers = {}}, {.key = "k", .value = "v", .headers = {}}});
  broken[60] = 3;  // the last byte of the record count: one more than there are
  const Counted c = count({batch({{.key = "k", .value = "v", .headers = {}}}, false), broken});
  EXPECT_EQ(c.data.seen.batches, 2u);
  EXPECT_EQ(c.data.seen.crc_bad, 2u);
  EXPECT_EQ(c.data.seen.batches_unread, 1u);
  EXPECT_EQ(c.data.seen.records, 3u) << "what could be read before the error counts";
  EXPECT_EQ(c.topics[0].row.records_per_batch.count(), 1u);
}

struct PlainCount : RecordSink {
  std::uint64_t records = 0, headers = 0, bytes = 0, carried = 0;  ///< carried: names, once each record
  void record(const Batch&, const Record& r) noexcept {
    ++records;
    HeaderReader reader(r);
    std::set<std::string> names;
    for (RecordHeader h; reader.next(h); ++headers) {
      bytes += h.name.size() + h.value.size();
      names.emplace(h.name);
    }
    carried += names.size();
  }
};

// Headers are counted while they are checked: whatever a damaged byte makes of them, nothing counts but whole records.
TEST(RecordCounter, HeadersOfABrokenRecordDontCount) {
  const Made r{.key = "k", .value = "v", .headers = {{"traceparent", trace}, {"b", std::nullopt}, {"c", "xyz"}, {"c", ""}}};
  const std::vector<std::uint8_t> good = batch({r, r, r});
  int cut = 0;
  for (std::size_t at = 61; at < good.size(); ++at) {
    for (const int flip : {1, 2, 4, 0x80}) {
      std::vector<std::uint8_t> damaged = good;
      damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ flip);
      PlainCount plain;
      Scratch scratch;
      read_records(bytes(damaged), {}, scratch, plain);
      cut += plain.records < 3;
      for (const Via via : {Via::fetch, Via::snapshot}) {
        const Counted c = count({damaged}, via);
        ASSERT_EQ(c.data.seen.records, plain.records) << at << " ^ " << flip;
        ASSERT_EQ(c.data.seen.headers, plain.headers) << at << " ^ " << flip;
        ASSERT_EQ(c.data.seen.header_bytes, plain.bytes) << at << " ^ " << flip;
        if (via == Via::snapshot) continue;
        std::uint64_t rows = 0, row_bytes = 0, carried = 0;
        for (const NamedHeader& h : c.headers) {
          rows += h.count;
          row_bytes += h.bytes;
          carried += h.records;
          ASSERT_LE(h.nulls + h.invalid, 2 * h.count);
        }
        ASSERT_EQ(rows, plain.headers) << at << " ^ " << flip;
        ASSERT_EQ(row_bytes, plain.bytes) << at << " ^ " << flip;
        ASSERT_EQ(carried, plain.carried) << at << " ^ " << flip;
      }
    }
  }
  EXPECT_GT(cut, 100);
}

TEST(RecordCounter, ControlRecordsAreNoRecordsOfTheTopic) {
  const std::string commit("\0\0\0\1", 4);
  const Counted c = count({batch({{.key = commit, .value = std::string(6, '\0'), .headers = {}}}, true, 0x30)});
  EXPECT_EQ(c.data.seen.records, 1u);
  EXPECT_EQ(c.data.seen.control_records, 1u);
  EXPECT_EQ(c.topics[0].row.fetched.records, 0u);
  EXPECT_EQ(c.topics[0].row.fetched.control_records, 1u);
  EXPECT_EQ(c.topics[0].row.record_bytes.count(), 0u);
}

TEST(RecordCounter, SnapshotsAreNoTrafficOfATopic) {
  const Counted c = count({batch({{.key = "k", .value = "v", .headers = {{"h", "1"}}}})}, Via::snapshot);
  EXPECT_EQ(c.data.seen.records, 1u);
  EXPECT_EQ(c.data.seen.headers, 1u);
  EXPECT_TRUE(c.topics.empty());
  EXPECT_TRUE(c.headers.empty());
}

TEST(RecordCounter, NamesThatAreNoUtf8AreOneWhenTheyPrintAlike) {
  const Counted c = count({batch({{.key = "k", .value = "v", .headers = {{"bad\xff", "1"}, {"bad\xfe", "2"}}}})});
  ASSERT_EQ(c.headers.size(), 1u);
  EXPECT_EQ(c.headers[0].count, 2u);
}

}  // namespace
}  // namespace kparse::report
