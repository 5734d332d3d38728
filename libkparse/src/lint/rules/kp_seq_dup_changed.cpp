// SPDX-License-Identifier: MIT
#include "lint/sequences.h"

namespace kparse::lint {
namespace {

class SeqDupChanged final : public SequenceRule {
 public:
  using SequenceRule::SequenceRule;

 private:
  void judged(const BatchSeen& b, const SequenceVerdict& v) override {
    if (v.what != SequenceVerdict::What::changed) return;
    const std::string name = topic(b.topic);
    hit({.topic = name, .partition = b.partition}, [&](Text& t) {
      t << "Producer " << b.batch.producer_id << " sent sequence " << b.batch.base_sequence << " of "
        << Partition{name, b.partition} << " again with other contents.";
    });
  }
};

}  // namespace

KPARSE_RULE(
    kp_seq_dup_changed, SeqDupChanged, .id = "KP-SEQ-DUP-CHANGED", .severity = Severity::warning,
    .scope = RuleScope::batch,
    .condition =
        "A batch has the producer id, epoch, partition, base sequence and count of one before, and other record bytes.",
    .why = "The broker takes it for a copy and drops the new contents.",
    .fix = "Never rebuild a batch under its old sequence.",
    .example = "Producer 74 sent sequence 155 of orders-0 again with other contents.",
    .sources = "sarama#1070; KIP-98");

}  // namespace kparse::lint
