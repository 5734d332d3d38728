// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"
#include "lint/header_tallies.h"

namespace kparse::lint {
namespace {

class HdrDupkey final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void on_repeated_header(const RecordsSeen& r, const Batch&, const HeaderSeen& h, std::int32_t times) override {
    HeaderTallies::Name* const n = names_.get(spot(r).topic, h.header.name);
    if (!n) return;
    if (times == 2) n->tally.add(frame().first);
    if (times > n->most) n->most = times;
  }
  void on_finish(const Stamp&) override {
    names_.each([&](std::uint32_t topic, const HeaderTallies::Name& n) {
      found_in_topic(
          topic,
          [&](Text& t, const Quoted& name) {
            t << "Header \"" << Quoted{n.text} << "\" occurs up to " << n.most << " times a record in " << name << ".";
          },
          n.tally.count, n.text);
    });
  }

 private:
  HeaderTallies names_{*this};
};

}  // namespace

KPARSE_RULE(kp_hdr_dupkey, HdrDupkey, .id = "KP-HDR-DUPKEY", .severity = Severity::info, .scope = RuleScope::record,
            .condition = "A record has several headers of one name. Counted by topic and name.",
            .why = "KIP-82 allows it, but readers that make a map of them keep one.",
            .fix = "Read headers as a list, or take the last.",
            .example = "Header \"retry\" occurs up to 3 times a record in orders.",
            .sources = "KIP-82; spring-kafka#1996", .healthy = true);

}  // namespace kparse::lint
