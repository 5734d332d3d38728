// SPDX-License-Identifier: MIT
#include <deque>

#include "lint/keys.h"
#include "lint/rule.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {
    {"storm-generations", 5, "times", "more rebalances in a minute are a storm"},
    {"storm-grace-seconds", 30, "s", "from when the group is first seen: it may only be starting"}};
constexpr double window = 60;

class RebalStorm final : public Rule {
 public:
  using Rule::Rule;

  void on_group_call(const GroupCall& g) override {
    Group* const s = groups_.get(std::string(g.group), room_);
    if (!s) return;
    if (!s->seen) s->first = g.first;
    s->seen = true;
    const bool leaves = g.kind == GroupCall::Kind::leave || (g.kind == GroupCall::Kind::heartbeat &&
                                                             g.group_kind != GroupKind::classic && g.generation < 0);
    s->joins += g.kind == GroupCall::Kind::join || (g.group_kind != GroupKind::classic && g.generation == 0);
    s->leaves += leaves;
    std::string_view reason = g.reason;
    for (const GroupMember& m : g.members)
      if (g.kind == GroupCall::Kind::leave && !m.reason.empty()) reason = m.reason;
    if (!reason.empty()) s->reason = reason.substr(0, 200);
  }

  void on_group_answer(const GroupCall& asked, const GroupAnswer& a) override {
    if (a.error != 0) return;
    const bool classic = asked.group_kind == GroupKind::classic;
    if (classic ? asked.kind != GroupCall::Kind::join : asked.kind != GroupCall::Kind::heartbeat) return;
    if (a.generation <= 0) return;
    Group* const s = groups_.find(std::string(asked.group));
    if (!s) return;
    const Stamp& now = frames().response->frame.first;
    if (a.generation < s->newest) {
      if (!classic || a.generation > 1) return;  // a member that is behind; else the group was made anew
      s->times.clear();
    } else if (a.generation == s->newest) {
      return;
    }
    const bool known = s->newest >= 0;
    s->newest = a.generation;
    if (!known || seconds_between(s->first, now) < option(1)) return;
    s->times.push_back(now);
    while (s->times.size() > 10'000 || seconds_between(s->times.front(), now) > window) s->times.pop_front();
    // The cooperative protocol goes through two generations for one change.
    const bool twice = classic && a.protocol.find("cooperative") != std::string_view::npos;
    const std::size_t rebalances = twice ? (s->times.size() + 1) / 2 : s->times.size();
    if (static_cast<double>(rebalances) <= option(0)) return;
    hit({.group = asked.group, .any_client = true}, [&](Text& t) {
      t << Quoted{asked.group} << ": " << rebalances << " rebalances in a minute (" << s->joins << " joins and "
        << s->leaves << " leaves since it was first seen";
      if (!s->reason.empty()) t << "; last reason: " << Quoted{s->reason, 200};
      t << ").";
    });
  }

 private:
  struct Group {
    Stamp first;
    bool seen = false;
    std::int32_t newest = -1;
    std::deque<Stamp> times;  ///< when a generation was first seen
    std::uint64_t joins = 0, leaves = 0;
    std::string reason;
  };
  Room room_{*this, "groups"};
  Bounded<std::string, Group> groups_;
};

}  // namespace

KPARSE_RULE(
    kp_rebal_storm, RebalStorm, .id = "KP-REBAL-STORM", .severity = Severity::warning, .scope = RuleScope::group,
    .condition =
        "After its first storm-grace-seconds in the capture a group goes through more than storm-generations "
        "generations (or epochs) within a minute. Two generations of the cooperative protocol are one rebalance.",
    .why = "Consumers stop at each of them; often max.poll.interval.ms or too short sessions.",
    .fix =
        "Look at the reasons of LeaveGroup and JoinGroup; use static membership or the cooperative or KIP-848 "
        "protocol.",
    .example = "g: 6 rebalances in a minute (7 joins and 0 leaves since it was first seen).",
    .sources = "kafkajs#1361; KAFKA-9801", .options = options);

}  // namespace kparse::lint
