// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"
#include "lint/broken_records.h"

namespace kparse::lint {
namespace {

class RecTrunc final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_bad_batch(const RecordsSeen& r, const BatchFacts& f, const Error& e) override {
    const Broken b = find_broken(f, e);
    if (b.fault != Broken::Fault::cut) return;
    found(r, [&](Text& t, const Partition& at) {
      t << "The records in the batch at " << at << " offset " << f.batch.base_offset << " end in the middle of record "
        << b.record << ".";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_rec_trunc, RecTrunc, .id = "KP-REC-TRUNC", .severity = Severity::error, .scope = RuleScope::record,
            .condition = "What a whole compressed batch or message holds ends inside a record or inner message.",
            .why = "Consumers can't get past it.",
            .fix = "Look at the producer: it cut the content before compressing it.",
            .example = "The records in the batch at orders-0 offset 100 end in the middle of record 1.",
            .sources = "kafka-python#710; kafka-python#713");

}  // namespace kparse::lint
