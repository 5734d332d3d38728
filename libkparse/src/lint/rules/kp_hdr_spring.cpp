// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <utility>

#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

class HdrSpring final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  bool wants_header(std::string_view name) override { return std::ranges::find(names, name) != names.end(); }
  void on_header(const RecordsSeen&, const Batch&, const HeaderSeen& h) override {
    here_ |= 1u << (std::ranges::find(names, h.header.name) - names.begin());
    any_ = true;
  }
  void end_record(const RecordsSeen&, const Batch&, const Record&) override { records_ += std::exchange(any_, false); }
  void end_batch(const RecordsSeen& r, const BatchFacts&, const Error&) override {
    const std::uint64_t records = std::exchange(records_, 0);
    const std::uint32_t here = std::exchange(here_, 0);
    if (records == 0) return;
    Topic* const t = topics_.get(spot(r).topic);
    if (!t) return;
    t->records.add(frame().first, records);
    t->names |= here;
  }
  void on_finish(const Stamp&) override {
    topics_.each([&](std::uint32_t n, const Topic& it) {
      if (it.records.count == 0) return;
      found_in_topic(
          n,
          [&](Text& t, const Quoted& topic) {
            t << topic << ": Spring headers (";
            std::string_view between;
            for (std::size_t i = 0; i < names.size(); ++i)
              if (it.names >> i & 1) t << std::exchange(between, ", ") << names[i];
            t << ").";
          },
          it.records.count);
    });
  }

 private:
  static constexpr std::array<std::string_view, 4> names{"spring_json_header_types", "__TypeId__", "__KeyTypeId__",
                                                         "__ContentTypeId__"};
  struct Topic {
    Tally records;
    std::uint32_t names = 0;
  };
  bool any_ = false;
  std::uint32_t here_ = 0;
  std::uint64_t records_ = 0;
  BySpot<Topic> topics_;
};

}  // namespace

KPARSE_RULE(kp_hdr_spring, HdrSpring, .id = "KP-HDR-SPRING", .severity = Severity::info, .scope = RuleScope::topic,
            .condition =
                "Records have headers that Spring for Apache Kafka writes: spring_json_header_types, "
                "__TypeId__, __KeyTypeId__, __ContentTypeId__. Counted by topic.",
            .why = "Readers other than Spring needn't know them.", .fix = "Nothing.",
            .example = "orders: Spring headers (spring_json_header_types, __TypeId__).", .sources = "spring-kafka#492",
            .healthy = true);

}  // namespace kparse::lint
