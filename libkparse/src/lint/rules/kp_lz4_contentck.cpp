// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"
#include "lint/lz4_frame.h"

namespace kparse::lint {
namespace {

class Lz4Contentck final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_bad_batch(const RecordsSeen& r, const BatchFacts& f, const Error& e) override {
    const Batch& b = f.batch;
    if (b.codec != Codec::lz4 || e.limit != Limit::payload || !sound(b)) return;
    const Lz4Damage damage = lz4_damage(b.payload, lz4_frame(b.payload), b.opened);
    if (damage == Lz4Damage::none) return;
    found(r, [&](Text& t, const Partition& at) {
      t << at << " offset " << b.base_offset << ": LZ4 " << (damage == Lz4Damage::block ? "block" : "content")
        << " checksum is wrong.";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_lz4_contentck, Lz4Contentck, .id = "KP-LZ4-CONTENTCK", .severity = Severity::error,
            .scope = RuleScope::batch,
            .condition =
                "An LZ4 frame has checksums of its content or of its blocks, and one differs from the "
                "data.",
            .why = "Java doesn't check that of the content, so damage goes unseen.",
            .fix =
                "Look at the producer: the batch's CRC is right, so the data was damaged before it was "
                "sent.",
            .example = "orders-0 offset 0: LZ4 content checksum is wrong.", .sources = "KAFKA-20528; kafka#22162");

}  // namespace kparse::lint
