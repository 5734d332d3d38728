// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

class CtrlClient final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    if (!f.batch.control || f.batch.magic != 2 || !produced(r) || !sound(f.batch)) return;
    found(r,
          [&](Text& t, const Partition& at) { t << who(conn()) << " sends a control batch to " << at << "."; });
  }
};

}  // namespace

KPARSE_RULE(kp_ctrl_client, CtrlClient, .id = "KP-CTRL-CLIENT", .severity = Severity::error, .scope = RuleScope::batch,
            .condition = "A produced batch has the control bit.",
            .why = "Markers are written by brokers only; the broker refuses the batch (87).",
            .fix = "Mend the attributes: bit 5 belongs to the broker.",
            .example = "10.0.0.2:50000 (\"billing\") sends a control batch to orders-0.",
            .sources = "DefaultRecordBatch; LogValidator");

}  // namespace kparse::lint
