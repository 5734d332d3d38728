// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"
#include "lint/broken_records.h"

namespace kparse::lint {
namespace {

class BatchCount final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_bad_batch(const RecordsSeen& r, const BatchFacts& f, const Error& e) override {
    if (f.batch.magic != 2 || f.batch.count == 0) return;
    const Broken broken = find_broken(f, e);
    if (broken.fault == Broken::Fault::count) told(r, f, broken);
  }
  void end_batch(const RecordsSeen& r, const BatchFacts& f, const Error& e) override {
    if (f.batch.count != 0 || f.batch.magic != 2 || e || !sound(f.batch)) return;
    if (produced(r) || !f.batch.payload.empty())
      told(r, f, {.fault = Broken::Fault::count, .have = f.batch.payload.size()});
  }

 private:
  void told(const RecordsSeen& r, const BatchFacts& f, const Broken& broken) {
    found(r, [&](Text& t, const Partition& at) {
      t << "Batch at " << at << " says " << f.batch.count << " records";
      if (f.batch.count > 0) t << ", " << broken.record << " are there";
      t << " (" << broken.have << (f.batch.count > 0 || f.batch.codec == Codec::none ? "" : " compressed")
        << " bytes left).";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_batch_count, BatchCount, .id = "KP-BATCH-COUNT", .severity = Severity::error, .scope = RuleScope::batch,
            .condition =
                "A batch has fewer or more records than its header says, bytes are left after the last, "
                "or the number is negative; of produced ones 0 is wrong too. Fetched batches that "
                "compaction has emptied (0 records, no bytes) are KP-COMPACTED, and records that can't "
                "be read have rules of their own.",
            .why = "The broker refuses it (87), or consumers miss records.",
            .fix =
                "Write the number of records; see whether one was added or dropped after the header was "
                "made.",
            .example = "Batch at orders-0 says 3 records, 2 are there (0 bytes left).",
            .sources = "KAFKA-5031; kafka#3156");

}  // namespace kparse::lint
