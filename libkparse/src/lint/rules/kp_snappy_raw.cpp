// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"
#include "lint/snappy_form.h"

namespace kparse::lint {
namespace {

class SnappyRaw final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_packed_batch(const RecordsSeen& r, const BatchFacts& f, const Error& e) override {
    const Batch& b = f.batch;
    if (b.codec != Codec::snappy || e.limit == Limit::payload || !sound(b) || snappy_form(b.payload) != SnappyForm::raw)
      return;
    found(r, [&](Text& t, const Partition& at) {
      t << who(conn()) << (produced(r) ? " writes raw snappy to " : " is given raw snappy from ") << Quoted{at.topic}
        << ".";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_snappy_raw, SnappyRaw, .id = "KP-SNAPPY-RAW", .severity = Severity::notice, .scope = RuleScope::batch,
            .condition =
                "A snappy payload is one raw block without snappy-java's framing. Counted by client and "
                "topic.",
            .why =
                "librdkafka, franz-go, kafkajs and others write it. Java takes it, some other readers "
                "take framed snappy only.",
            .fix = "Nothing, if all readers take both.",
            .example = "10.0.0.2:50000 (\"billing\") writes raw snappy to orders.",
            .sources = "kafka-protocol-rs#79; kafka-go#306", .healthy = true);

}  // namespace kparse::lint
