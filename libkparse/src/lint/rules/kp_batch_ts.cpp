// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"
#include "lint/inner_messages.h"

namespace kparse::lint {
namespace {

constexpr std::string_view instead[] = {"KP-VARINT-RANGE"};

class BatchTs final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    const Batch& b = f.batch;
    if (f.negative_time_at < 0 || b.magic < 1 || b.timestamp_type != TimestampType::CreateTime || !produced(r) ||
        b.control || version() < 2 || !sound(b) || holds_old(b))
      return;
    found(r, [&](Text& t, const Partition& at) {
      t << who(conn()) << " writes records without a time (" << f.min_time << ") to " << Quoted{at.topic} << ".";
    });
  }

 private:
  /// Messages of magic 0, which have no time: KP-LEGACY-MAGIC.
  static bool holds_old(const Batch& b) noexcept {
    bool old = false;
    if (b.magic == 1 && b.codec != Codec::none)
      each_inner(b.opened, [&](const InnerMessage& m) { old = old || m.magic == 0; });
    return old;
  }
};

}  // namespace

KPARSE_RULE(kp_batch_ts, BatchTs, .id = "KP-BATCH-TS", .severity = Severity::warning, .scope = RuleScope::batch,
            .condition =
                "Produce v2 or later writes a record whose own time (base plus delta; magic 1: its "
                "timestamp) is negative, with CreateTime.",
            .why =
                "In topics with CreateTime retention takes such records at once, and with them what the "
                "broker knows of an idempotent producer: OUT_OF_ORDER_SEQUENCE_NUMBER follows.",
            .fix = "Set the record's time when producing.",
            .example = "10.0.0.2:50000 (\"billing\") writes records without a time (-1) to orders.",
            .sources = "redpanda#3824", .instead = instead);

}  // namespace kparse::lint
