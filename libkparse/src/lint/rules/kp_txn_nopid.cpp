// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

class TxnNopid final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void begin_request(const Conn&, const Request&) override { has_id_ = false; }
  void on_transactional_id(std::string_view id) override { has_id_ = !id.empty(); }
  void end_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    const Batch& b = f.batch;
    if (!b.transactional || b.magic != 2 || !produced(r) || !sound(b)) return;
    const bool no_producer = b.producer_id < 0, no_id = version() >= 3 && !has_id_;
    if (!no_producer && !no_id) return;
    found(r, [&](Text& t, const Partition& at) {
      t << "Transactional batch for " << at << " without "
        << (no_producer && no_id ? "a producer id or a transactional id"
            : no_producer        ? "a producer id"
                                 : "a transactional id in the request")
        << ".";
    });
  }

 private:
  bool has_id_ = false;
};

}  // namespace

KPARSE_RULE(kp_txn_nopid, TxnNopid, .id = "KP-TXN-NOPID", .severity = Severity::error, .scope = RuleScope::batch,
            .condition =
                "A produced batch has the transactional bit, but no producer id; or its request (v3 or "
                "later) names no transactional id.",
            .why = "The broker refuses it.",
            .fix = "Call InitProducerId first, and name the transactional id in the request.",
            .example = "Transactional batch for orders-0 without a producer id.", .sources = "ProduceRequest; KIP-98");

}  // namespace kparse::lint
