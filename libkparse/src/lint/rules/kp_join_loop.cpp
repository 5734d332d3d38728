// SPDX-License-Identifier: MIT
#include "lint/keys.h"
#include "lint/rule.h"
#include "lint/subject.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {{"join-loop-min", 3, "times", "joins without the id that was given, in a row"}};
constexpr std::int16_t member_id_required = 79;

class JoinLoop final : public Rule {
 public:
  using Rule::Rule;

  void on_group_call(const GroupCall& g) override {
    if (g.group_kind != GroupKind::classic || g.kind != GroupCall::Kind::join) return;
    State* const s = states_[conn()].get(std::string(g.group), room_);
    if (!s) return;
    if (!g.member.empty()) {
      *s = {.spoke = s->spoke};
      return;
    }
    if (!s->given) return;
    s->given = false;
    if (static_cast<double>(++s->again) < option(0)) return;
    hit({.group = g.group, .count = s->spoke ? 1 : s->again}, [&](Text& t) {
      t << Quoted{g.group} << ": " << conn().client() << " ignores the member id that it was given (" << s->again
        << " times).";
    });
    s->spoke = true;
  }

  void on_group_answer(const GroupCall& asked, const GroupAnswer& a) override {
    if (asked.group_kind != GroupKind::classic || asked.kind != GroupCall::Kind::join || !asked.member.empty()) return;
    if (State* const s = states_[conn()].get(std::string(asked.group), room_))
      s->given = a.error == member_id_required && !a.member.empty();
  }

  void on_close(const Conn& c, const Stamp&) override { states_.drop(c); }

 private:
  struct State {
    std::uint64_t again = 0;
    bool given = false, spoke = false;
  };
  Room room_{*this, "a connection's groups"};
  PerConn<Bounded<std::string, State>> states_;
};

}  // namespace

KPARSE_RULE(kp_join_loop, JoinLoop, .id = "KP-JOIN-LOOP", .severity = Severity::warning, .scope = RuleScope::group,
            .condition =
                "After MEMBER_ID_REQUIRED (79) the same connection sends JoinGroup without a member id again, "
                "join-loop-min or more times in a row.",
            .why = "It never gets into the group.", .fix = "Send the member id of the answer (KIP-394).",
            .example = "g: 10.0.0.1:50000 ignores the member id that it was given (3 times).",
            .sources = "kafka-python#2598; KIP-394", .options = options);

}  // namespace kparse::lint
