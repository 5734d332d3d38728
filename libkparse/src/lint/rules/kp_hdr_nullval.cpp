// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"
#include "lint/header_tallies.h"

namespace kparse::lint {
namespace {

class HdrNullval final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void on_null_header(const RecordsSeen& r, const Batch&, const HeaderSeen& h) override {
    if (HeaderTallies::Name* const n = names_.get(spot(r).topic, h.header.name)) n->tally.add(frame().first);
  }
  void on_finish(const Stamp&) override {
    names_.each([&](std::uint32_t topic, const HeaderTallies::Name& n) {
      found_in_topic(
          topic,
          [&](Text& t, const Quoted& name) {
            t << "Header \"" << Quoted{n.text} << "\" in " << name << " has null values (" << n.tally.count << ").";
          },
          n.tally.count, n.text);
    });
  }

 private:
  HeaderTallies names_{*this};
};

}  // namespace

KPARSE_RULE(kp_hdr_nullval, HdrNullval, .id = "KP-HDR-NULLVAL", .severity = Severity::info, .scope = RuleScope::record,
            .condition = "Headers of records have a null value. Counted by topic and name.",
            .why = "It is allowed, but some clients throw on it or turn it into an empty value.",
            .fix = "Avoid null values where the readers aren't known.",
            .example = "Header \"h\" in orders has null values (1).",
            .sources = "kafka-backup#155; kafkajs#1786; kafka-python#2004", .healthy = true);

}  // namespace kparse::lint
