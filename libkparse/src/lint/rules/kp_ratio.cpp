// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {
    {"ratio-share", 95, "%", "compressed batches that take more of their plain size save nothing"},
    {"ratio-min-batches", 20, "batches", "so many are looked at, at least"},
};

class Ratio final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_packed_batch(const RecordsSeen& r, const BatchFacts& f, const Error& e) override {
    if (!produced(r) || e || !sound(f.batch)) return;
    Sum* const s = pairs_.get(spot(r).pair);
    if (!s) return;
    s->batches.add(frame().first);
    s->codec = f.batch.codec;
    s->packed += static_cast<double>(f.batch.payload.size());
    s->plain += static_cast<double>(f.batch.uncompressed);
  }
  void on_finish(const Stamp&) override {
    pairs_.each([&](std::uint32_t n, const Sum& s) {
      if (s.batches.count == 0 || static_cast<double>(s.batches.count) < option(1)) return;
      if (s.packed * 100 < option(0) * s.plain) return;
      found_of_pair(
          n, s.batches.first,
          [&](Text& t, const Who& client, const Quoted& topic) {
            t << name_of(s.codec);
            if (s.packed < s.plain) {
              t << " saves only " << Percent{s.plain - s.packed, s.plain};
            } else {
              t << " saves nothing";
            }
            t << " in " << topic << " (" << client << ").";
          },
          s.batches.count);
    });
  }

 private:
  struct Sum {
    Tally batches;
    double packed = 0, plain = 0;
    Codec codec = Codec::none;
  };
  BySpot<Sum> pairs_;
};

}  // namespace

KPARSE_RULE(kp_ratio, Ratio, .id = "KP-RATIO", .severity = Severity::notice, .scope = RuleScope::client,
            .condition =
                "At least ratio-min-batches compressed batches that a client sent to a topic take "
                "ratio-share or more of what they hold.",
            .why =
                "The CPU works for nothing: the data is compressed or encrypted already, or batches are "
                "too small.",
            .fix = "Turn compression off in that topic, or make larger batches.",
            .example = "gzip saves nothing in orders (10.0.0.2:50000 (\"billing\")).", .sources = "CompressionType",
            .healthy = true, .options = options);

}  // namespace kparse::lint
