// SPDX-License-Identifier: MIT
#include "lint/refused_batch.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

class TooLargeSplit final : public TooLargeRule {
 public:
  using TooLargeRule::TooLargeRule;

 private:
  void splits(const Conn& c, const RefusedBatches& b) override {
    hit({.topic = b.topic, .partition = b.partition, .api = "Produce", .conn = &c, .at = &b.at}, [&](Text& t) {
      t << who(c) << " splits a batch of " << b.bytes << " bytes for " << Quoted{b.topic, 249}
        << " that was too large.";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_too_large_split, TooLargeSplit, .id = "KP-TOO-LARGE-SPLIT", .severity = Severity::notice,
            .scope = RuleScope::batch,
            .condition =
                "A partition of a Produce is answered MESSAGE_TOO_LARGE (10) or RECORD_LIST_TOO_LARGE (18), and what "
                "the client sends to it next has fewer records: it splits.",
            .why = "Heals by itself, but each split costs a refused request.",
            .fix = "Lower batch.size below max.message.bytes.",
            .example = "10.0.0.1:50000 (\"t1\") splits a batch of 83 bytes for orders that was too large.",
            .sources = "KAFKA-8350; kafka#20358", .healthy = true);

}  // namespace kparse::lint
