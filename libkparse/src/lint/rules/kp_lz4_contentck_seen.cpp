// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"
#include "lint/lz4_frame.h"

namespace kparse::lint {
namespace {

class Lz4ContentckSeen final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_packed_batch(const RecordsSeen& r, const BatchFacts& f, const Error& e) override {
    const Batch& b = f.batch;
    if (b.codec != Codec::lz4 || e.limit == Limit::payload || !sound(b)) return;
    const Lz4Frame frame = lz4_frame(b.payload);
    if (!frame.block_checksums && !frame.content_checksum) return;
    found(r, [&](Text& t, const Partition& at) {
      t << Quoted{at.topic} << ": LZ4 frames carry "
        << (!frame.block_checksums    ? "content"
            : !frame.content_checksum ? "block"
                                      : "content and block")
        << " checksums.";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_lz4_contentck_seen, Lz4ContentckSeen, .id = "KP-LZ4-CONTENTCK-SEEN", .severity = Severity::info,
            .scope = RuleScope::batch,
            .condition =
                "LZ4 frames have checksums of their content or blocks, and they are right. Counted by "
                "client and topic.",
            .why = "It is allowed; Java doesn't look at those of the content.", .fix = "Nothing.",
            .example = "orders: LZ4 frames carry content checksums.", .sources = "KAFKA-20528", .healthy = true);

}  // namespace kparse::lint
