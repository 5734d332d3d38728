// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

class ProduceMagic final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    if (f.batch.magic >= 2 || !produced(r) || !f.batch.readable || version() < 3) return;
    found(r, [&](Text& t, const Partition& at) {
      t << "Produce v" << version() << " to " << at << " has message format " << f.batch.magic
        << ": v3 and later need 2.";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_produce_magic, ProduceMagic, .id = "KP-PRODUCE-MAGIC", .severity = Severity::error,
            .scope = RuleScope::batch,
            .condition = "A Produce request of version 3 or later holds messages of magic 0 or 1.",
            .why = "The broker refuses it: INVALID_RECORD (87) or UNSUPPORTED_FOR_MESSAGE_FORMAT (43).",
            .fix = "Write record batches (magic 2); to brokers before 0.11 send Produce v2.",
            .example = "Produce v7 to orders-0 has message format 1: v3 and later need 2.",
            .sources = "ProduceRequest.validateRecords");

}  // namespace kparse::lint
