// SPDX-License-Identifier: MIT
#include <ctime>
#include <utility>

#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {
    {"ts-future-hours", 24, "hours", "times further ahead than this are wrong"},
};

class BatchTsrange final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    if (!produced(r) || f.records == 0) return;
    const std::int64_t now = frame().first.time_ns / 1'000'000;
    const double ahead = static_cast<double>(f.max_time) - static_cast<double>(now);
    if (ahead <= option(0) * 3'600'000 || f.batch.magic < 1 || f.batch.control || !sound(f.batch)) return;
    found(r, [&](Text& t, const Partition& at) {
      t << who(conn()) << " writes records to " << Quoted{at.topic} << " dated " << date(f.max_time) << ", "
        << span(ahead) << " after the capture's clock.";
    });
  }

 private:
  static std::string date(std::int64_t ms) {
    constexpr std::int64_t last = 253'402'300'799'999;  // of the year 9999
    char s[32];
    const std::time_t seconds = static_cast<std::time_t>(ms / 1000);
    std::tm parts{};
    if (ms < 0 || ms > last || !gmtime_r(&seconds, &parts)) return std::to_string(ms) + " ms";
    const std::size_t n = std::strftime(s, sizeof s, "%Y-%m-%d %H:%M:%SZ", &parts);
    return {s, n};
  }
  static std::string span(double ms) {
    Text t;
    const double days = ms / 86'400'000;
    if (days >= 730) {
      t << Decimal{days / 365.25, 0} << " years";
    } else if (days >= 1.95) {
      t << Decimal{days} << " days";
    } else {
      t << Decimal{days * 24} << " hours";
    }
    return std::move(t).take();
  }
};

}  // namespace

KPARSE_RULE(kp_batch_tsrange, BatchTsrange, .id = "KP-BATCH-TSRANGE", .severity = Severity::warning,
            .scope = RuleScope::batch,
            .condition =
                "A produced record's time is more than ts-future-hours after the packet that brings it. "
                "Fetched records aren't judged: they may be old.",
            .why =
                "Retention keeps such segments for ever. Often nanoseconds were taken for milliseconds, "
                "or deltas counted twice.",
            .fix = "Write milliseconds; see to the producer's clock.",
            .example =
                "10.0.0.2:50000 (\"billing\") writes records to orders dated 2026-01-03 00:00:00Z, 2 days "
                "after the capture's clock.",
            .sources = "kafka-go#266; sarama#1455", .healthy = true, .options = options);

}  // namespace kparse::lint
