// SPDX-License-Identifier: MIT
#include "lint/fetched_batches.h"
#include "lint/subject.h"

namespace kparse::lint {
namespace {

class FetchBefore final : public Rule {
 public:
  using Rule::Rule;

  void begin_response(const Conn&, const Response&) override { batches_.clear(); }
  void on_batch(const BatchSeen& b) override { batches_.add(b); }

  void on_partition_fetched(const PartitionFetched& p) override {
    const FetchedBatches::Range* const range = batches_.of(p);
    if (!range || p.asked_offset < 0 || range->first_ends >= p.asked_offset) return;
    const std::string name = topic(p.topic);
    hit({.topic = name, .partition = p.partition}, [&](Text& t) {
      t << Partition{name, p.partition} << ": the answer to offset " << p.asked_offset
        << " begins with a batch that ends at " << range->first_ends << ".";
    });
  }

 private:
  FetchedBatches batches_;
};

}  // namespace

KPARSE_RULE(kp_fetch_before, FetchBefore, .id = "KP-FETCH-BEFORE", .severity = Severity::notice,
            .scope = RuleScope::frame,
            .condition =
                "A Fetch answer has a whole batch whose last offset is below the offset that was asked for. A batch "
                "that contains it is normal.",
            .why = "Old clients deliver these again as duplicates.",
            .fix = "Consumer: drop records below the asked offset.",
            .example = "orders-0: the answer to offset 5 begins with a batch that ends at 4.",
            .sources = "KAFKA-5360; kafka#3191");

}  // namespace kparse::lint
