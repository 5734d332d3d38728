// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

class SeqNeg final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    const Batch& b = f.batch;
    if (b.producer_id < 0 || b.base_sequence >= 0 || b.magic != 2 || !produced(r) || !sound(b)) return;
    found(r, [&](Text& t, const Partition& at) {
      t << "Producer " << b.producer_id << " on " << at << " sends baseSequence " << b.base_sequence << ".";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_seq_neg, SeqNeg, .id = "KP-SEQ-NEG", .severity = Severity::error, .scope = RuleScope::batch,
            .condition = "A produced batch has a producer id, but a negative base sequence.",
            .why = "The broker refuses it (87): only its own markers have -1.",
            .fix = "Number the batches of an idempotent producer from 0.",
            .example = "Producer 74 on orders-0 sends baseSequence -1.", .sources = "ProducerStateManager");

}  // namespace kparse::lint
