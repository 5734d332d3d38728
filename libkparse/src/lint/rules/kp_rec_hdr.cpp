// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"
#include "lint/broken_records.h"

namespace kparse::lint {
namespace {

class RecHdr final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_bad_batch(const RecordsSeen& r, const BatchFacts& f, const Error& e) override {
    const Broken b = find_broken(f, e);
    if (b.fault != Broken::Fault::header) return;
    found(r, [&](Text& t, const Partition& at) {
      t << "Record " << b.record << " of the batch at " << at << ": ";
      if (b.what == Broken::What::header_count) {
        t << "header count " << b.value;
      } else {
        t << "a header's name has length " << b.value;
      }
      if (b.value >= 0) t << ", " << b.have << " bytes are left";
      t << ".";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_rec_hdr, RecHdr, .id = "KP-REC-HDR", .severity = Severity::error, .scope = RuleScope::record,
            .condition =
                "A record's number of headers is negative or more than its bytes could hold, or a "
                "header's name has a negative length or one past the record's end.",
            .why = "The broker refuses the batch (87); readers that don't check go astray.",
            .fix = "Write the number as a zig-zag varint, 0 for none. Names of headers can't be null.",
            .example = "Record 0 of the batch at orders-0: header count -27.", .sources = "kafka-ts#7; kafkajs#911");

}  // namespace kparse::lint
