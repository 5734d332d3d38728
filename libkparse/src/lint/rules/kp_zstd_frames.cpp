// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"
#include "lint/zstd_frames.h"

namespace kparse::lint {
namespace {

class ZstdFramesRule final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_packed_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    if (f.batch.codec != Codec::zstd || !sound(f.batch)) return;
    const ZstdFrames z = zstd_frames(f.batch.payload);
    if (z.frames + z.skippable < 2) return;
    found(r, [&](Text& t, const Partition& at) {
      t << at << " offset " << f.batch.base_offset << ": " << z.frames + z.skippable << " zstd frames back to back.";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_zstd_frames, ZstdFramesRule, .id = "KP-ZSTD-FRAMES", .severity = Severity::info,
            .scope = RuleScope::batch, .condition = "A zstd payload has more than one frame, skippable ones counting.",
            .why = "Readers that decode one frame only lose what follows.", .fix = "Decode to the end of the payload.",
            .example = "orders-0 offset 0: 2 zstd frames back to back.", .sources = "kafka-python-ng#202",
            .healthy = true);

}  // namespace kparse::lint
