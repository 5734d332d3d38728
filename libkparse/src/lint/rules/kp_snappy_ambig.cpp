// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"
#include "lint/snappy_form.h"

namespace kparse::lint {
namespace {

class SnappyAmbig final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_packed_batch(const RecordsSeen& r, const BatchFacts& f, const Error& e) override {
    const Batch& b = f.batch;
    if (b.codec != Codec::snappy || e.limit == Limit::payload || b.payload.empty() || b.payload[0] != 0x82 ||
        !sound(b) || snappy_form(b.payload) != SnappyForm::raw)
      return;
    found(r, [&](Text& t, const Partition& at) {
      t << Quoted{at.topic} << ": raw snappy that begins with 0x82 as a xerial header does.";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_snappy_ambig, SnappyAmbig, .id = "KP-SNAPPY-AMBIG", .severity = Severity::notice,
            .scope = RuleScope::batch,
            .condition =
                "A raw snappy payload begins with 0x82, the first byte of snappy-java's framing, but not "
                "with the rest of it.",
            .why = "A reader that looks at one byte only takes it for framed, and fails at some sizes.",
            .fix = "Compare all 8 bytes.",
            .example = "orders: raw snappy that begins with 0x82 as a xerial header does.",
            .sources = "snappy-java#142", .healthy = true);

}  // namespace kparse::lint
