// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"
#include "lint/inner_messages.h"

namespace kparse::lint {
namespace {

class LegacyInner final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_packed_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    const Batch& b = f.batch;
    if (b.magic != 1 || b.count < 2 || !produced(r) || !sound(b)) return;
    std::int64_t next = 0;
    bool odd = false;
    each_inner(b.opened, [&](const InnerMessage& m) { odd = m.offset != next++ || odd; });
    if (!odd) return;
    found(r, [&](Text& t, const Partition& at) {
      t << who(conn()) << " writes inner offsets ";
      std::int32_t n = 0;
      each_inner(b.opened, [&](const InnerMessage& m) {
        if (n < 5) t << (n > 0 ? ", " : "") << m.offset;
        if (n++ == 5) t << ", ...";
      });
      t << " in a magic 1 wrapper to " << Quoted{at.topic} << ".";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_legacy_inner, LegacyInner, .id = "KP-LEGACY-INNER", .severity = Severity::warning,
            .scope = RuleScope::batch,
            .condition =
                "A compressed message of magic 1 with several messages inside is produced, and their "
                "offsets aren't 0, 1, 2, ... In magic 0 that is usual and no fault.",
            .why = "The broker has to compress every such batch anew; Kafka 2.4 refused it.",
            .fix = "Number the inner messages from 0, or write record batches (magic 2).",
            .example = "10.0.0.2:50000 (\"billing\") writes inner offsets 0, 0 in a magic 1 wrapper to orders.",
            .sources = "sarama#903; KAFKA-9669; kafka-node#1226", .healthy = true);

}  // namespace kparse::lint
