// SPDX-License-Identifier: MIT
#include "lint/sequences.h"

namespace kparse::lint {
namespace {

class Seq final : public SequenceRule {
 public:
  using SequenceRule::SequenceRule;

 private:
  void judged(const BatchSeen& b, const SequenceVerdict& v) override {
    if (v.what != SequenceVerdict::What::wrong) return;
    const std::string name = topic(b.topic);
    hit({.topic = name, .partition = b.partition}, [&](Text& t) {
      t << "Producer " << b.batch.producer_id << " epoch " << b.batch.producer_epoch << " on "
        << Partition{name, b.partition} << ": sequence " << b.batch.base_sequence << " where " << v.due << " is due.";
    });
  }
};

}  // namespace

KPARSE_RULE(
    kp_seq, Seq, .id = "KP-SEQ", .severity = Severity::error, .scope = RuleScope::batch,
    .condition =
        "A batch of an idempotent producer doesn't have the sequence that follows the one before (same producer id, "
        "epoch and partition, all connections to the broker), isn't a retry, no batch before it was refused and "
        "nothing is missing in the capture; or the first batch of an epoch, that was seen from its InitProducerId or "
        "follows an older one, doesn't begin at 0.",
    .why =
        "The broker answers OUT_OF_ORDER_SEQUENCE_NUMBER (45): a batch was lost, numbered wrongly or sent in the wrong "
        "order.",
    .fix = "Keep batches in order per partition on retry; count sequences by records, wrap to 0 after 2147483647.",
    .example = "Producer 74 epoch 0 on orders-0: sequence 158 where 157 is due.",
    .sources = "kafkajs#598; sarama#1070; KAFKA-12152; KIP-98; KIP-360");

}  // namespace kparse::lint
