// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

class RecOdelta final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    if (f.odd_delta_at < 0 || f.batch.magic != 2 || !produced(r) || !sound(f.batch)) return;
    found(r, [&](Text& t, const Partition& at) {
      t << "Record " << f.odd_delta_at << " of the batch for " << at << " has offsetDelta " << f.odd_delta << ".";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_rec_odelta, RecOdelta, .id = "KP-REC-ODELTA", .severity = Severity::error, .scope = RuleScope::record,
            .condition = "In a produced batch record i has another offsetDelta than i. One finding a batch.",
            .why = "The broker refuses the batch or has to write it anew; offsets come out wrong.",
            .fix = "Number the records of a batch 0, 1, 2, ...",
            .example = "Record 1 of the batch for orders-0 has offsetDelta 0.", .sources = "sarama#1013; kop#1992");

}  // namespace kparse::lint
