// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {
    {"hot-factor", 3, "times", "the median: more is hot"},
    {"hot-min-bytes", 1048576, "bytes", "... above this"},
};

class HotPartition final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void on_records(const RecordsSeen& r) override {
    if (!produced(r) || r.records.empty() || r.partition < 0) return;
    auto* const t = topics_.get(spot(r).topic);
    if (!t) return;
    if (std::uint64_t* const bytes = t->get(r.partition, room_)) *bytes += r.records.size();
  }
  void on_finish(const Stamp&) override {
    topics_.each([&](std::uint32_t n, Bounded<std::int32_t, std::uint64_t>& partitions) {
      std::vector<std::uint64_t> sizes;
      std::int32_t hottest = -1;
      std::uint64_t most = 0;
      for (const auto& [partition, bytes] : partitions) {
        sizes.push_back(bytes);
        if (bytes > most || (bytes == most && partition < hottest)) most = bytes, hottest = partition;
      }
      if (sizes.size() < 3 || static_cast<double>(most) <= option(1)) return;
      const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>((sizes.size() - 1) / 2);
      std::ranges::nth_element(sizes, middle);
      const double factor = static_cast<double>(most) / static_cast<double>(*middle);
      if (factor <= option(0)) return;
      found_in_topic(
          n,
          [&](Text& t, const Quoted& name) {
            t << name << "-" << hottest << " gets " << Decimal{factor} << " times as much as the others.";
          },
          1);
    });
  }

 private:
  Room room_{*this, "a topic's partitions"};
  BySpot<Bounded<std::int32_t, std::uint64_t>> topics_;
};

}  // namespace

KPARSE_RULE(kp_hot_partition, HotPartition, .id = "KP-HOT-PARTITION", .severity = Severity::notice,
            .scope = RuleScope::topic,
            .condition =
                "Of at least 3 partitions of a topic that are produced to, one gets more than "
                "hot-min-bytes and more than hot-factor times the median.",
            .why = "One broker and one consumer carry most of the load.", .fix = "Choose keys that spread.",
            .example = "orders-0 gets 6.5 times as much as the others.", .sources = "BuiltInPartitioner",
            .healthy = true, .options = options);

}  // namespace kparse::lint
