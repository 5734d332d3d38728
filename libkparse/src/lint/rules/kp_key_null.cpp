// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

class KeyNull final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    if (!produced(r) || f.records == 0 || !sound(f.batch) || f.batch.control) return;
    Keys* const k = pairs_.get(spot(r).pair);
    if (!k) return;
    if (f.null_keys > 0) k->without.add(frame().first, static_cast<std::uint64_t>(f.null_keys));
    k->with += static_cast<std::uint64_t>(f.records - f.null_keys);
  }
  void on_finish(const Stamp&) override {
    pairs_.each([&](std::uint32_t n, const Keys& k) {
      if (k.without.count == 0) return;
      const bool compacted = desk_.compacted(topic(topic_at(pair_at(n).topic).ref()));
      if (k.with == 0 && !compacted) return;
      found_of_pair(
          n, k.without.first,
          [&](Text& t, const Who& client, const Quoted& topic) {
            t << topic << ": " << k.without.count << " records of " << client << " have no key, "
              << (compacted ? "and it is compacted." : "others have one.");
          },
          k.without.count);
    });
  }

 private:
  struct Keys {
    Tally without;
    std::uint64_t with = 0;
  };
  BySpot<Keys> pairs_;
};

}  // namespace

KPARSE_RULE(kp_key_null, KeyNull, .id = "KP-KEY-NULL", .severity = Severity::notice, .scope = RuleScope::topic,
            .condition =
                "A client produces records with a null key and others with a key to one topic; or null "
                "keys to a topic that is known to be compacted.",
            .why =
                "Records without a key are spread over the partitions, so their order is lost; a "
                "compacted topic refuses them (87).",
            .fix = "Set a key where order or compaction matters.",
            .example = "orders: 3 records of 10.0.0.2:50000 (\"billing\") have no key, others have one.",
            .sources = "LogValidator", .healthy = true);

}  // namespace kparse::lint
