// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

class TsLogappend final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    if (f.batch.timestamp_type != TimestampType::LogAppendTime || !f.batch.readable || f.batch.draft || produced(r))
      return;
    if (Tally* const t = topics_.get(spot(r).topic)) t->add(frame().first);
  }
  void on_finish(const Stamp&) override {
    topics_.each([&](std::uint32_t n, const Tally& tally) {
      if (tally.count == 0) return;
      found_in_topic(
          n, [&](Text& t, const Quoted& topic) { t << topic << " uses LogAppendTime: times are the broker's."; },
          tally.count);
    });
  }

 private:
  BySpot<Tally> topics_;
};

}  // namespace

KPARSE_RULE(kp_ts_logappend, TsLogappend, .id = "KP-TS-LOGAPPEND", .severity = Severity::info,
            .scope = RuleScope::topic,
            .condition =
                "Fetched batches or messages have attribute bit 3: a record's time is the batch's "
                "maxTimestamp, or the outer message's.",
            .why = "The times that producers gave are still in the deltas and mean nothing.", .fix = "Nothing.",
            .example = "orders uses LogAppendTime: times are the broker's.",
            .sources = "ruby-kafka#706; kafka_protocol#60", .healthy = true);

}  // namespace kparse::lint
