// SPDX-License-Identifier: MIT
#include <array>

#include "lint/batch_rule.h"
#include "lint/trace_headers.h"

namespace kparse::lint {
namespace {

class HdrTrace final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  bool wants_header(std::string_view name) override { return trace_header(name) >= 0; }
  void on_header(const RecordsSeen&, const Batch&, const HeaderSeen& h) override {
    if (const int n = trace_header(h.header.name); n >= 0) here_ |= 1u << n;
  }
  void end_record(const RecordsSeen&, const Batch&, const Record&) override {
    for (std::size_t n = 0; here_ != 0; ++n, here_ >>= 1) batch_[n] += here_ & 1;
  }
  void end_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    if (f.records == 0 || f.batch.control) return;
    Topic* const t = topics_.get(spot(r).topic);
    if (t) t->records += static_cast<std::uint64_t>(f.records);
    for (std::size_t n = 0; n < batch_.size(); ++n) {
      if (t && batch_[n] > 0) t->with[n].add(frame().first, batch_[n]);
      batch_[n] = 0;
    }
  }
  void on_finish(const Stamp&) override {
    topics_.each([&](std::uint32_t topic, const Topic& it) {
      for (std::size_t n = 0; n < it.with.size(); ++n) {
        if (it.with[n].count == 0) continue;
        found_in_topic(
            topic,
            [&](Text& t, const Quoted& name) {
              t << Percent{static_cast<double>(it.with[n].count), static_cast<double>(it.records)}
                << " of the records in " << name << " carry " << trace_headers[n].name
                << (trace_headers[n].beginning ? "*." : ".");
            },
            it.with[n].count, trace_headers[n].name);
      }
    });
  }

 private:
  struct Topic {
    std::uint64_t records = 0;
    std::array<Tally, trace_headers.size()> with;
  };
  std::uint32_t here_ = 0;
  std::array<std::uint32_t, trace_headers.size()> batch_{};
  BySpot<Topic> topics_;
};

}  // namespace

KPARSE_RULE(kp_hdr_trace, HdrTrace, .id = "KP-HDR-TRACE", .severity = Severity::info, .scope = RuleScope::topic,
            .condition =
                "Records have a header with the context of a trace: traceparent, tracestate, baggage, "
                "b3, X-B3-*, uber-trace-id, elasticapmtraceparent, x-datadog-*, sw8. Counted by topic, "
                "with their share.",
            .why = "It tells where traces can be followed.", .fix = "Nothing.",
            .example = "50 % of the records in orders carry traceparent.",
            .sources = "apm#747; opentelemetry-java-instrumentation", .healthy = true);

}  // namespace kparse::lint
