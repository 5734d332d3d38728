// SPDX-License-Identifier: MIT
#include "lint/sequences.h"

namespace kparse::lint {
namespace {

class SeqDup final : public SequenceRule {
 public:
  using SequenceRule::SequenceRule;

 private:
  void judged(const BatchSeen& b, const SequenceVerdict& v) override {
    if (v.what != SequenceVerdict::What::repeated) return;
    const std::string name = topic(b.topic);
    hit({.topic = name, .partition = b.partition}, [&](Text& t) {
      t << "Producer " << b.batch.producer_id << " sent sequence " << b.batch.base_sequence << " of "
        << Partition{name, b.partition} << " again (" << Records{b.batch.count} << ").";
    });
  }
};

}  // namespace

KPARSE_RULE(
    kp_seq_dup, SeqDup, .id = "KP-SEQ-DUP", .severity = Severity::notice, .scope = RuleScope::batch,
    .condition =
        "A batch has the producer id, epoch, partition, base sequence, count and records of one before: a retry.",
    .why = "Normal after a timeout or a leader change; the broker drops the second copy.",
    .fix = "Nothing if rare; if often, see why answers are late.",
    .example = "Producer 74 sent sequence 155 of orders-0 again (2 records).", .sources = "sarama#1070; KIP-98",
    .healthy = true);

}  // namespace kparse::lint
