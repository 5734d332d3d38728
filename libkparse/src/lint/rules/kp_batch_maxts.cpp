// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

constexpr std::string_view instead[] = {"KP-VARINT-RANGE"};

class BatchMaxts final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    const Batch& b = f.batch;
    if (b.max_timestamp == f.max_time || !f.complete || f.records == 0 || b.magic != 2 || b.control ||
        b.timestamp_type != TimestampType::CreateTime || !sound(b))
      return;
    if (produced(r)) {
      Wrong* const w = pairs_.get(spot(r).pair);
      if (!w) return;
      if (w->batches.count == 0) {
        w->actual = b.max_timestamp;
        w->expected = f.max_time;
      }
      w->batches.add(frame().first);
    } else if (fetched(r) && !b.has_delete_horizon && std::int64_t{b.count} == std::int64_t{b.last_offset_delta} + 1) {
      found(
          r,
          [&](Text& t, const Partition& at) {
            t << "Batch at " << at << " offset " << b.base_offset << " has maxTimestamp " << b.max_timestamp
              << ", its records' largest is " << f.max_time << ".";
          },
          1, "fetched");
    }
  }
  void on_finish(const Stamp&) override {
    pairs_.each([&](std::uint32_t n, const Wrong& w) {
      if (w.batches.count == 0) return;
      found_of_pair(
          n, w.batches.first,
          [&](Text& t, const Who& client, const Quoted& topic) {
            t << client << " writes maxTimestamp " << w.actual << " where its records' largest is " << w.expected
              << " (" << topic << ", " << w.batches.count << " batches).";
          },
          w.batches.count);
    });
  }

 private:
  struct Wrong {
    Tally batches;
    std::int64_t actual = 0, expected = 0;
  };
  BySpot<Wrong> pairs_;
};

}  // namespace

KPARSE_RULE(kp_batch_maxts, BatchMaxts, .id = "KP-BATCH-MAXTS", .severity = Severity::warning,
            .scope = RuleScope::batch,
            .condition =
                "A produced batch of magic 2 with CreateTime has another maxTimestamp than the largest "
                "time of its records. Counted by client and topic. Of fetched batches only those that "
                "compaction hasn't touched are looked at.",
            .why =
                "Where the server trusts it, searches by time, retention and archiving go by "
                "maxTimestamp.",
            .fix = "Set maxTimestamp to the largest time of the batch's records.",
            .example =
                "10.0.0.2:50000 (\"billing\") writes maxTimestamp -1 where its records' largest is "
                "1700000000000 (orders, 1 batches).",
            .sources = "sarama#3108; redpanda#25200", .healthy = true, .instead = instead);

}  // namespace kparse::lint
