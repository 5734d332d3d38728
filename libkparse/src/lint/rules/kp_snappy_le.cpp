// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"
#include "lint/snappy_form.h"

namespace kparse::lint {
namespace {

class SnappyLe final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_packed_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    const Batch& b = f.batch;
    if (b.codec != Codec::snappy || !sound(b) || snappy_form(b.payload) != SnappyForm::swapped) return;
    found(r, [&](Text& t, const Partition& at) {
      t << Quoted{at.topic} << ": xerial header with byte-swapped version fields (" << Hex{b.payload.subspan(8, 8)}
        << ").";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_snappy_le, SnappyLe, .id = "KP-SNAPPY-LE", .severity = Severity::notice, .scope = RuleScope::batch,
            .condition =
                "A snappy payload has the framing's 8 bytes, but version numbers that make sense in "
                "little-endian only.",
            .why = "A strict reader takes it for raw snappy and fails.",
            .fix = "Write both version numbers big-endian.",
            .example = "orders: xerial header with byte-swapped version fields (01 00 00 00 01 00 00 00).",
            .sources = "kafka-python#2414");

}  // namespace kparse::lint
