// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"
#include "lint/broken_records.h"

namespace kparse::lint {
namespace {

class RecLen final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_bad_batch(const RecordsSeen& r, const BatchFacts& f, const Error& e) override {
    const Broken b = find_broken(f, e);
    if (b.fault != Broken::Fault::length) return;
    found(r, [&](Text& t, const Partition& at) {
      t << "Record " << b.record << " of the batch at " << at << ": length " << b.value;
      switch (b.what) {
        case Broken::What::fields_short:
          t << ", its fields end " << b.have << " bytes before that.";
          break;
        case Broken::What::fields_long:
          t << ", its fields need more.";
          break;
        default:
          t << ", " << b.have << " bytes are there.";
      }
    });
  }
};

}  // namespace

KPARSE_RULE(kp_rec_len, RecLen, .id = "KP-REC-LEN", .severity = Severity::error, .scope = RuleScope::record,
            .condition =
                "A record's length is negative or goes past the end of its batch, or its fields take "
                "less or more. Where the headers are to blame it is KP-REC-HDR, where the compressed "
                "content ends early KP-REC-TRUNC.",
            .why = "Nothing after it can be read; the broker refuses the batch (87).",
            .fix = "Mend the writer's length: it counts the bytes after the length itself.",
            .example = "Record 1 of the batch at orders-0: length 40, 10 bytes are there.",
            .sources = "KAFKA-13149; kafka#11080");

}  // namespace kparse::lint
