// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"
#include "lint/snappy_form.h"

namespace kparse::lint {
namespace {

class SnappyXerial final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_packed_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    const Batch& b = f.batch;
    if (b.codec != Codec::snappy || !sound(b) || snappy_form(b.payload) != SnappyForm::xerial) return;
    found(r, [&](Text& t, const Partition& at) {
      t << Quoted{at.topic} << ": snappy in xerial framing (version " << load_be<std::int32_t>(b.payload.data() + 8)
        << ", " << snappy_blocks(b.payload) << " blocks).";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_snappy_xerial, SnappyXerial, .id = "KP-SNAPPY-XERIAL", .severity = Severity::info,
            .scope = RuleScope::batch,
            .condition =
                "A snappy payload begins with the 8 bytes of snappy-java's framing and big-endian "
                "version numbers. Counted by client and topic.",
            .why =
                "Java, kafka-python, aiokafka, sarama and kafka-go write it; some readers take raw "
                "snappy only.",
            .fix = "Nothing.", .example = "orders: snappy in xerial framing (version 1, 1 blocks).",
            .sources = "kafka-python#127", .healthy = true);

}  // namespace kparse::lint
