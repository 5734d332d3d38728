// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"
#include "lint/lz4_frame.h"

namespace kparse::lint {
namespace {

class Lz4HcLegacy final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_packed_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    const Batch& b = f.batch;
    if (b.codec != Codec::lz4 || b.magic != 0 || !sound(b) || !lz4_frame(b.payload).wrong_as_legacy()) return;
    found(r, [&](Text& t, const Partition& at) {
      t << at << ": LZ4 with the old header checksum, as magic 0 has it.";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_lz4_hc_legacy, Lz4HcLegacy, .id = "KP-LZ4-HC-LEGACY", .severity = Severity::info,
            .scope = RuleScope::batch,
            .condition =
                "As KP-LZ4-HC in magic 0, where it is the rule; brokers write it too when they convert "
                "down.",
            .why = "A reader has to take both.", .fix = "Nothing.",
            .example = "orders-0: LZ4 with the old header checksum, as magic 0 has it.", .sources = "KIP-57",
            .healthy = true);

}  // namespace kparse::lint
