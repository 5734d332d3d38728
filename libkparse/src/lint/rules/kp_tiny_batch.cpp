// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {
    {"tiny-records", 2, "records", "a batch with so many or less is tiny"},
    {"tiny-rate", 50, "batches a second", "more are too many"},
    {"tiny-seconds", 5, "s", "... over this time"},
};

class TinyBatch final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    if (!produced(r) || f.batch.magic != 2 || f.batch.control || !sound(f.batch)) return;
    Window* const w = pairs_.get(spot(r).pair);
    if (!w) return;
    const Stamp& now = frame().first;
    if (w->batches > 0 && static_cast<double>(now.time_ns - w->begin.time_ns) >= option(2) * 1e9) {
      if (const double rate = tiny(*w, now); rate > 0) {
        found(
            r, [&](Text& t, const Partition& at) { tell(t, who(conn()), rate, Quoted{at.topic}, *w); },
            w->batches);
      }
      w->batches = 0;
    }
    if (w->batches == 0) *w = {.begin = now, .last = now};
    ++w->batches;
    w->records += static_cast<std::uint64_t>(f.batch.count > 0 ? f.batch.count : 0);
    w->small += f.batch.count <= option(0);
    w->last = now;
  }
  void on_finish(const Stamp&) override {
    pairs_.each([&](std::uint32_t n, const Window& w) {
      if (w.batches == 0 || static_cast<double>(w.last.time_ns - w.begin.time_ns) < option(2) * 1e9) return;
      const double rate = tiny(w, w.last);
      if (rate == 0) return;
      found_of_pair(
          n, w.begin, [&](Text& t, const Who& client, const Quoted& topic) { tell(t, client, rate, topic, w); },
          w.batches);
    });
  }

 private:
  struct Window {
    Stamp begin, last;
    std::uint64_t batches = 0, small = 0, records = 0;
  };
  /// Batches a second; 0: all is well.
  [[nodiscard]] double tiny(const Window& w, const Stamp& now) const noexcept {
    const double rate = static_cast<double>(w.batches) / (static_cast<double>(now.time_ns - w.begin.time_ns) / 1e9);
    return w.small * 2 >= w.batches && rate > option(1) ? rate : 0;
  }
  static void tell(Text& t, const Who& client, double rate, const Quoted& topic, const Window& w) {
    t << client << " sends " << Decimal{rate, 0} << " batches a second to " << topic << " with "
      << Decimal{static_cast<double>(w.records) / static_cast<double>(w.batches)} << " records each.";
  }

  BySpot<Window> pairs_;
};

}  // namespace

KPARSE_RULE(kp_tiny_batch, TinyBatch, .id = "KP-TINY-BATCH", .severity = Severity::notice, .scope = RuleScope::client,
            .condition =
                "Over tiny-seconds or longer a client sends more than tiny-rate batches a second to a "
                "topic, at least half of which have at most tiny-records records.",
            .why =
                "Each batch costs 61 bytes and its share of a request; compression can do nothing for "
                "it.",
            .fix = "Raise linger.ms and batch.size.",
            .example = "10.0.0.2:50000 (\"billing\") sends 91 batches a second to orders with 1 records each.",
            .sources = "KafkaProducer; DefaultRecordBatch", .healthy = true, .options = options);

}  // namespace kparse::lint
