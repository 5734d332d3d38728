// SPDX-License-Identifier: MIT
#include <algorithm>

#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

class BatchLen final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_bad_batch(const RecordsSeen& r, const BatchFacts& f, const Error& e) override {
    if (e.code != Code::badLength || f.batch.readable || f.batch.draft || !frame().whole() || wrong_in_ == place_of(r))
      return;
    wrong_in_ = place_of(r);
    found(r, [&](Text& t, const Partition& at) {
      t << "Batch at " << at << " says " << f.batch.batch_length << " bytes, "
        << (r.records.size() - f.batch.position - std::min<std::uint64_t>(12, r.records.size() - f.batch.position))
        << " are there; the least for magic " << f.batch.magic << " is "
        << (f.batch.magic == 2   ? 49
            : f.batch.magic == 1 ? 22
                                 : 14)
        << ".";
    });
  }
  void on_partial(const RecordsSeen& r, std::uint64_t bytes, std::uint64_t need) override {
    // After a wrong length what is left is what that batch really has.
    if (!produced(r) || !frame().whole() || wrong_in_ == place_of(r)) return;
    found(r, [&](Text& t, const Partition& at) {
      if (need > 12) {
        t << "Batch at " << at << " says " << need - 12 << " bytes, " << (bytes > 12 ? bytes - 12 : 0) << " are there.";
      } else {
        t << "The records for " << at << " end with " << bytes << " bytes that are no batch.";
      }
    });
  }

 private:
  struct Place {
    std::uint64_t conn = 0, frame = 0;
    const std::uint8_t* records = nullptr;
    friend bool operator==(const Place&, const Place&) = default;
  };
  Place place_of(const RecordsSeen& r) const noexcept { return {conn().number, frame().offset, r.records.data()}; }

  Place wrong_in_;
};

}  // namespace

KPARSE_RULE(kp_batch_len, BatchLen, .id = "KP-BATCH-LEN", .severity = Severity::error, .scope = RuleScope::batch,
            .condition =
                "A batch's length is less than its format needs (49 for magic 2), or it reaches past the "
                "records of its partition. At the end of what was fetched that is normal: KP-PARTIAL.",
            .why = "Nobody can find the next batch.",
            .fix =
                "Mend the writer's length: the bytes after the length field, 49 for a batch without "
                "records.",
            .example = "Batch at orders-0 says 40 bytes, 71 are there; the least for magic 2 is 49.",
            .sources = "DefaultRecordBatch");

}  // namespace kparse::lint
