// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

class BatchMagic final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_bad_batch(const RecordsSeen& r, const BatchFacts& f, const Error& e) override {
    lost_ = lost_ || (e.code == Code::badLength && !f.batch.readable);
    if (lost_ || e.code != Code::unknownMagic || f.batch.readable || f.batch.draft || !frame().whole()) return;
    found(r, [&](Text& t, const Partition& at) {
      t << "Batch at " << at << " has magic " << f.batch.magic << ": there are 0, 1 and 2.";
    });
  }
  void begin_batch(const RecordsSeen& r, const Batch& b) override {
    if (b.position == 0) lost_ = false;
    if (!produced(r)) return;
    if (b.position == 0) {
      first_ = b.magic;
    } else if (b.magic != first_ && b.readable && !b.draft) {
      found(r, [&](Text& t, const Partition& at) {
        t << "Batch at " << at << " has magic " << b.magic << " after one with magic " << first_ << ".";
      });
    }
  }

 private:
  std::int8_t first_ = 2;
  bool lost_ = false;  ///< a wrong length came before: this is no batch
};

}  // namespace

KPARSE_RULE(kp_batch_magic, BatchMagic, .id = "KP-BATCH-MAGIC", .severity = Severity::error, .scope = RuleScope::batch,
            .condition = "The magic byte isn't 0, 1 or 2; or the messages produced to one partition differ in it.",
            .why =
                "This isn't a record format of Kafka: the writer is wrong, or the reader has lost its "
                "place.",
            .fix = "See whether the length of what stands before is right.",
            .example = "Batch at orders-0 has magic 3: there are 0, 1 and 2.",
            .sources = "LegacyRecord; DefaultRecordBatch");

}  // namespace kparse::lint
