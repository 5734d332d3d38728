// SPDX-License-Identifier: MIT
#include "kparse/record_walk.h"
#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

class RecOdeltaFetch final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    if (f.unordered_at < 0 || f.batch.magic != 2 || !fetched(r) || !sound(f.batch)) return;
    found(r, [&](Text& t, const Partition& at) {
      const std::uint8_t* p = f.batch.opened.data();
      Record record;
      std::int64_t time = 0;
      std::int32_t delta = 0, previous = 0;
      for (std::int32_t i = 0; p && i <= f.unordered_at; ++i) {
        previous = delta;
        p = detail::read_record(p, f.batch.opened.data() + f.batch.opened.size(), record, time, delta);
      }
      t << "Record " << f.unordered_at << " of the batch at " << at << " offset " << f.batch.base_offset
        << " has offsetDelta " << delta << " after " << previous << ".";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_rec_odelta_fetch, RecOdeltaFetch, .id = "KP-REC-ODELTA-FETCH", .severity = Severity::notice,
            .scope = RuleScope::record,
            .condition = "In a fetched batch of magic 2 the offsetDeltas don't grow from record to record.",
            .why = "Two records share an offset, or they are out of order: commits and seeks go wrong.",
            .fix = "Look for what wrote this part of the log: a mirror, a restore, an odd broker.",
            .example = "Record 1 of the batch at orders-0 offset 100 has offsetDelta 0 after 0.",
            .sources = "sarama#1015");

}  // namespace kparse::lint
