// SPDX-License-Identifier: MIT
#include <utility>

#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

class ProduceMulti final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void begin_request(const Conn&, const Request& r) override {
    waiting_ = has_records_ = false;
    looked_at_ = r.api_key == 0 && r.version >= 3 && r.frame.whole();
  }
  void on_partition(const PartitionSeen& p) override {  // after its records
    if (!looked_at_ || !frames().request || p.partition < 0) return;
    without_records();
    if (std::exchange(has_records_, false)) return;
    waiting_ = true;
    topic_ = p.topic;
    partition_ = p.partition;
  }
  void on_records(const RecordsSeen& r) override {
    has_records_ = true;
    good_ = produced(r);
  }
  void begin_batch(const RecordsSeen&, const Batch& b) override {
    good_ = good_ && b.readable && b.magic == 2 && !b.draft;
  }
  void on_partial(const RecordsSeen&, std::uint64_t, std::uint64_t) override { good_ = false; }
  void end_records(const RecordsSeen& r, std::int32_t batches) override {
    if (looked_at_ && good_ && batches != 1) told(r, batches);
  }
  void end_request(const Conn&, const Request&, const Error& e) override {
    if (!e) without_records();  // else the last one may only be cut
    looked_at_ = false;
  }

 private:
  void told(const RecordsSeen& r, std::int32_t batches) {
    found(r, [&](Text& t, const Partition& at) {
      t << "Produce v" << version() << " has " << batches << " batches for " << at << ": exactly one is allowed.";
    });
  }
  void without_records() {
    if (!waiting_) return;
    waiting_ = false;
    told({.via = Via::produce, .topic = topic_, .partition = partition_, .records = {}}, 0);
  }

  bool looked_at_ = false, good_ = false, has_records_ = false, waiting_ = false;
  TopicRef topic_;
  std::int32_t partition_ = -1;
};

}  // namespace

KPARSE_RULE(kp_produce_multi, ProduceMulti, .id = "KP-PRODUCE-MULTI", .severity = Severity::error,
            .scope = RuleScope::frame,
            .condition =
                "A partition of a Produce request of version 3 or later doesn't hold exactly one batch. "
                "None counts too; batches with a wrong length or magic are left to their own rules.",
            .why = "The broker answers INVALID_RECORD (87); old ones gave offsets to the first batch only.",
            .fix = "Send one batch a partition and request.",
            .example = "Produce v7 has 2 batches for orders-0: exactly one is allowed.",
            .sources = "KAFKA-8428; kafka#6816");

}  // namespace kparse::lint
