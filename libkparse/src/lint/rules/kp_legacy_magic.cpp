// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"
#include "lint/inner_messages.h"

namespace kparse::lint {
namespace {

class LegacyMagic final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_packed_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    const Batch& b = f.batch;
    if (b.magic > 1 || !sound(b)) return;
    int odd = -1;
    each_inner(b.opened, [&](const InnerMessage& m) {
      if (m.magic != static_cast<std::uint8_t>(b.magic)) odd = m.magic;
    });
    if (odd < 0) return;
    found(r, [&](Text& t, const Partition& at) {
      t << "Wrapper of magic " << b.magic << " at " << at << " holds messages of magic " << odd << ".";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_legacy_magic, LegacyMagic, .id = "KP-LEGACY-MAGIC", .severity = Severity::error,
            .scope = RuleScope::batch,
            .condition = "A message inside a compressed message of magic 0 or 1 has another magic.",
            .why = "Log cleaners and consumers fail on it.", .fix = "Write both with the same magic.",
            .example = "Wrapper of magic 1 at orders-0 holds messages of magic 0.",
            .sources = "KAFKA-4298; kafka#2019");

}  // namespace kparse::lint
