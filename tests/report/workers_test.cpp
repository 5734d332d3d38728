// SPDX-License-Identifier: MIT
// Any number of threads counts the same, also where tables are full.
#include <string>

#include <gtest/gtest.h>

#include "kparse/json.h"
#include "report/report.h"
#include "support.h"

namespace kparse::report {
namespace {

/// Some megabytes, so that there are packs for all threads and for the caller's too.
std::string report_of(unsigned threads, int topics, int names) {
  ReportObserver observer({}, no_register(), threads);
  Script script(observer);
  auto t = script.talk(1);
  for (int n = 0; n < topics; ++n) {
    std::vector<Made> records;
    for (int i = 0; i < 20; ++i)
      records.push_back({.key = i % 3 == 0 ? std::optional<std::string>{} : "key",
                         .value = std::string(static_cast<std::size_t>(n % 90 + 10), 'v'),
                         .headers = {{"name-" + std::to_string((n * 20 + i) % names), "value"}, {"same", std::nullopt}}});
    const auto set = batch(records, n % 50 != 7);
    const std::string topic = "topic-" + std::to_string(n);
    script.request(t, {.key = 0, .version = 8, .client_id = "x"}, at(n, static_cast<std::uint64_t>(n) + 1), [&](Observer& o) {
      o.on_records({.via = Via::produce, .topic = {.name = topic}, .partition = n % 4, .records = bytes(set)});
      o.on_records({.via = Via::snapshot, .topic = {}, .partition = 0, .records = bytes(set), .unread = 3});
    });
  }
  const ReportData data = observer.finish();
  const Cluster cluster;
  const cli::Summary summary;
  JsonWriter json;
  json.begin_object();
  write_report(json, Report(data, cluster, summary));
  json.end_object();
  return std::string(json.view());
}

TEST(RecordWorkers, CountLikeOneThread) {
  const std::string one = report_of(1, 600, 40);
  EXPECT_NE(one.find("\"topic-599\""), one.npos);
  for (const unsigned threads : {2u, 3u, 8u}) EXPECT_EQ(report_of(threads, 600, 40), one) << threads;
}

TEST(RecordWorkers, KeepTheSameRowsOfFullTables) {
  const std::string one = report_of(1, 12'000, 9'000);
  EXPECT_NE(one.find("\"leftOut\""), one.npos);
  EXPECT_EQ(report_of(2, 12'000, 9'000), one);
  EXPECT_EQ(report_of(5, 12'000, 9'000), one);
}

}  // namespace
}  // namespace kparse::report
