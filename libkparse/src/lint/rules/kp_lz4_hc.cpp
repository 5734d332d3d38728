// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"
#include "lint/lz4_frame.h"

namespace kparse::lint {
namespace {

class Lz4Hc final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_packed_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    const Batch& b = f.batch;
    if (b.codec != Codec::lz4 || b.magic == 0 || !sound(b)) return;
    const Lz4Frame frame = lz4_frame(b.payload);
    if (!frame.wrong_as_legacy()) return;
    found(r, [&](Text& t, const Partition& at) {
      t << at << ": LZ4 header checksum is computed over the magic too (" << Hex{{&frame.header_checksum, 1}}
        << ", right is " << Hex{{&frame.right, 1}} << ").";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_lz4_hc, Lz4Hc, .id = "KP-LZ4-HC", .severity = Severity::warning, .scope = RuleScope::batch,
            .condition =
                "In magic 1 or 2 the header checksum of an LZ4 frame is that of magic number and "
                "descriptor; it is to be that of the descriptor alone.",
            .why = "Readers refuse such a frame. It was Kafka's own mistake, and is kept for magic 0 only.",
            .fix = "Compute the checksum over the descriptor only.",
            .example = "orders-0: LZ4 header checksum is computed over the magic too (1a, right is 82).",
            .sources = "KIP-57; kafka-python#522; sarama#875");

}  // namespace kparse::lint
