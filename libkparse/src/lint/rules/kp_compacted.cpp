// SPDX-License-Identifier: MIT
#include "kparse/record_walk.h"
#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

class Compacted final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    const Batch& b = f.batch;
    const std::int64_t range = std::int64_t{b.last_offset_delta} + 1;
    if (b.magic != 2 || b.count >= range || b.count < 0 || b.control || !fetched(r) || !sound(b)) return;
    if (b.count == 0 && !b.payload.empty()) return;
    found(r, [&](Text& t, const Partition& at) {
      t << "Batch at " << at << " offset " << b.base_offset << " was compacted: " << b.count << " records for " << range
        << " offsets; the next offset is " << detail::sum(b.base_offset, range) << ".";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_compacted, Compacted, .id = "KP-COMPACTED", .severity = Severity::info, .scope = RuleScope::batch,
            .condition =
                "A fetched batch of magic 2 has fewer records than offsets, or none at all. Control "
                "batches aren't looked at.",
            .why =
                "The log cleaner took records out, as it should in compacted topics. A consumer goes on "
                "at base offset + lastOffsetDelta + 1.",
            .fix = "Nothing.",
            .example =
                "Batch at orders-0 offset 100 was compacted: 3 records for 12 offsets; the next offset "
                "is 112.",
            .sources = "sarama#1006; kafkajs#562; ruby-kafka#555", .healthy = true);

}  // namespace kparse::lint
