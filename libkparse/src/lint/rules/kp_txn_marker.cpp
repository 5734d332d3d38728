// SPDX-License-Identifier: MIT
#include "kparse/record_walk.h"
#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

class TxnMarker final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    const Batch& b = f.batch;
    if (!b.control || b.magic != 2 || !fetched(r) || !sound(b) || f.records == 0) return;
    Record record;
    std::int64_t time = 0;
    std::int32_t delta = 0;
    const Bytes all = b.opened;
    if (!detail::read_record(all.data(), all.data() + all.size(), record, time, delta)) return;
    const std::int16_t type = detail::control_type(record.key);
    if (type != 0 && type != 1) return;
    Markers* const m = topics_.get(spot(r).topic);
    if (!m) return;
    if (m->all.count == 0) m->partition = r.partition;
    m->one_partition = m->one_partition && m->partition == r.partition;
    m->all.add(frame().first);
    if (type == 1) ++m->commits;
  }
  void on_finish(const Stamp&) override {
    topics_.each([&](std::uint32_t n, const Markers& m) {
      if (m.all.count == 0) return;
      found_in_topic(
          n,
          [&](Text& t, const Quoted& topic) {
            t << topic;
            if (m.one_partition) t << "-" << m.partition;
            t << ": " << m.commits << " commits, " << m.all.count - m.commits << " aborts seen.";
          },
          m.all.count);
    });
  }

 private:
  struct Markers {
    Tally all;
    std::uint64_t commits = 0;
    std::int32_t partition = -1;
    bool one_partition = true;
  };
  BySpot<Markers> topics_;
};

}  // namespace

KPARSE_RULE(kp_txn_marker, TxnMarker, .id = "KP-TXN-MARKER", .severity = Severity::info, .scope = RuleScope::batch,
            .condition = "Fetched control batches that commit or abort a transaction. Counted by topic.",
            .why =
                "A marker takes an offset but holds no data; since KIP-890 (TV2) it has the epoch after "
                "that of the data.",
            .fix = "Nothing.", .example = "orders-0: 2 commits, 1 aborts seen.",
            .sources = "brod#659; platformatic#391; KIP-890", .healthy = true);

}  // namespace kparse::lint
