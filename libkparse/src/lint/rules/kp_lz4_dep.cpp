// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"
#include "lint/lz4_frame.h"

namespace kparse::lint {
namespace {

class Lz4Dep final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_packed_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    const Batch& b = f.batch;
    if (b.codec != Codec::lz4 || !sound(b)) return;
    const Lz4Frame frame = lz4_frame(b.payload);
    if (!frame.is || frame.independent) return;
    found(r, [&](Text& t, const Partition& at) {
      t << who(conn())
        << (produced(r) ? " writes LZ4 with linked blocks to " : " is given LZ4 with linked blocks from ")
        << Quoted{at.topic} << ".";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_lz4_dep, Lz4Dep, .id = "KP-LZ4-DEP", .severity = Severity::error, .scope = RuleScope::batch,
            .condition = "An LZ4 frame has bit 5 of FLG clear: its blocks are linked.",
            .why = "Java refuses it: the broker answers UNKNOWN_SERVER_ERROR (-1), consumers throw.",
            .fix = "Write independent blocks (bit 5 of FLG).",
            .example = "10.0.0.2:50000 (\"billing\") writes LZ4 with linked blocks to orders.",
            .sources = "kafka-python#1476; pykafka#914");

}  // namespace kparse::lint
