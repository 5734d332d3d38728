// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

class CodecUnknown final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_bad_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    const int codec = f.batch.attributes & 7;
    if (codec <= static_cast<int>(Codec::zstd) || !sound(f.batch)) return;
    found(r, [&](Text& t, const Partition& at) {
      t << "Batch at " << at << ": codec " << codec << " doesn't exist.";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_codec_unknown, CodecUnknown, .id = "KP-CODEC-UNKNOWN", .severity = Severity::error,
            .scope = RuleScope::batch, .condition = "The codec in a batch's attributes is 5, 6 or 7.",
            .why = "Nobody can open it.", .fix = "Mend the attributes: 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd.",
            .example = "Batch at orders-0: codec 5 doesn't exist.", .sources = "Kafka CompressionType");

}  // namespace kparse::lint
