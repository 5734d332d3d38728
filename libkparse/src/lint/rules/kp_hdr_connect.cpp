// SPDX-License-Identifier: MIT
#include <utility>

#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

class HdrConnect final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  bool wants_header(std::string_view name) override { return name.starts_with(family); }
  void on_header(const RecordsSeen&, const Batch&, const HeaderSeen&) override { here_ = true; }
  void end_record(const RecordsSeen& r, const Batch&, const Record& record) override {
    if (!std::exchange(here_, false) || records_++ > 0) return;
    if (Topic* const t = topics_.get(spot(r).topic); t && t->records.count == 0) remember(*t, record);
  }
  void end_batch(const RecordsSeen& r, const BatchFacts&, const Error&) override {
    const std::uint64_t records = std::exchange(records_, 0);
    if (records == 0) return;
    if (Topic* const t = topics_.get(spot(r).topic)) t->records.add(frame().first, records);
  }
  void on_finish(const Stamp&) override {
    topics_.each([&](std::uint32_t n, const Topic& it) {
      if (it.records.count == 0) return;
      found_in_topic(
          n,
          [&](Text& t, const Quoted& topic) {
            t << topic << ": dead letters of connector " << known(it.connector) << ", stage " << known(it.stage)
              << ", from " << known(it.original) << ".";
          },
          it.records.count);
    });
  }

 private:
  static constexpr std::string_view family = "__connect.errors.";
  struct Topic {
    Tally records;
    std::string connector, stage, original;  ///< of the first record
  };
  static Quoted known(std::string_view s) noexcept { return {s.empty() ? std::string_view("?") : s}; }
  static void remember(Topic& t, const Record& record) {
    constexpr std::size_t most = 200;
    HeaderReader reader(record);
    RecordHeader h;
    while (reader.next(h)) {
      if (!h.name.starts_with(family)) continue;
      const std::string_view name = h.name.substr(family.size()), value = text(h.value).substr(0, most);
      if (name == "connector.name") t.connector = value;
      if (name == "stage") t.stage = value;
      if (name == "topic") t.original = value;
    }
  }

  bool here_ = false;
  std::uint64_t records_ = 0;
  BySpot<Topic> topics_;
};

}  // namespace

KPARSE_RULE(kp_hdr_connect, HdrConnect, .id = "KP-HDR-CONNECT", .severity = Severity::info, .scope = RuleScope::topic,
            .condition = "Records have __connect.errors.* headers. Counted by topic.",
            .why = "They show what failed where in Kafka Connect.",
            .fix = "See the header __connect.errors.exception.message.",
            .example = "dlq: dead letters of connector sink-1, stage VALUE_CONVERTER, from orders.",
            .sources = "KIP-298; kafka#5159", .healthy = true);

}  // namespace kparse::lint
