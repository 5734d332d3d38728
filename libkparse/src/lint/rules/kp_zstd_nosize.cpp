// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"
#include "lint/zstd_frames.h"

namespace kparse::lint {
namespace {

class ZstdNosize final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_packed_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    if (f.batch.codec != Codec::zstd || !sound(f.batch) || !zstd_frames(f.batch.payload).without_size) return;
    found(r,
          [&](Text& t, const Partition& at) { t << Quoted{at.topic} << ": zstd frames without content size."; });
  }
};

}  // namespace

KPARSE_RULE(kp_zstd_nosize, ZstdNosize, .id = "KP-ZSTD-NOSIZE", .severity = Severity::info, .scope = RuleScope::batch,
            .condition = "A zstd frame doesn't tell the size of its content. Counted by client and topic.",
            .why = "Readers have to decode it as a stream. Java, librdkafka and rskafka write this.", .fix = "Nothing.",
            .example = "orders: zstd frames without content size.", .sources = "kafka-python-ng#202", .healthy = true);

}  // namespace kparse::lint
