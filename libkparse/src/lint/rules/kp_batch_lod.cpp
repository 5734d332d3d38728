// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

class BatchLod final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    const Batch& b = f.batch;
    if (b.magic != 2 || !sound(b)) return;
    if (produced(r)) {
      // A wrong count alone is KP-BATCH-COUNT's.
      const std::int64_t last = std::int64_t{b.last_offset_delta} + 1;
      if (last == b.count || b.count <= 0 || (f.opened && !f.complete && last == f.records)) return;
      found(r, [&](Text& t, const Partition& at) {
        t << "Batch for " << at << ": " << b.count << " records need lastOffsetDelta " << b.count - 1 << ", it is "
          << b.last_offset_delta << ".";
      });
      return;
    }
    if (!f.opened || f.records == 0 || f.last_offset - b.base_offset <= b.last_offset_delta) return;
    found(r, [&](Text& t, const Partition& at) {
      t << "Batch at " << at << " offset " << b.base_offset << ": a record has offsetDelta "
        << f.last_offset - b.base_offset << ", lastOffsetDelta is " << b.last_offset_delta << ".";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_batch_lod, BatchLod, .id = "KP-BATCH-LOD", .severity = Severity::error, .scope = RuleScope::batch,
            .condition =
                "Of a produced batch lastOffsetDelta + 1 isn't its number of records; of a fetched one a "
                "record lies beyond lastOffsetDelta.",
            .why = "Offsets overlap or consumers skip records; today's brokers refuse such a batch (87).",
            .fix = "When producing, lastOffsetDelta is the number of records less 1.",
            .example = "Batch for orders-0: 2 records need lastOffsetDelta 1, it is 0.",
            .sources = "sarama#1026; sarama#1032");

}  // namespace kparse::lint
