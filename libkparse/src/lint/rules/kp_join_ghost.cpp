// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <vector>

#include "lint/keys.h"
#include "lint/rule.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {{"ghost-ms", 1000, "ms", "member ids handed out within this time are one client's"}};
constexpr std::int16_t member_id_required = 79;

class JoinGhost final : public Rule {
 public:
  using Rule::Rule;

  void on_group_call(const GroupCall& g) override {
    if (g.group_kind != GroupKind::classic) return;
    use(g.group, g.member);
    if (g.kind == GroupCall::Kind::leave)
      for (const GroupMember& m : g.members) use(g.group, m.member);
  }

  void on_group_answer(const GroupCall& asked, const GroupAnswer& a) override {
    if (asked.group_kind != GroupKind::classic || asked.kind != GroupCall::Kind::join) return;
    const Stamp& now = frames().response->frame.first;
    if (a.error == member_id_required && asked.member.empty() && !a.member.empty()) {
      std::size_t* const place = by_id_.get(joined({asked.group, a.member}), room_);
      if (!place) return;
      *place = handed_.size();
      handed_.push_back({.client = client_key(conn()),
                         .group = std::string(asked.group),
                         .member = std::string(a.member),
                         .who = witness_of(conn(), now)});
    } else if (a.error == 0 && !asked.member.empty()) {
      if (Handed* const h = find(asked.group, asked.member); h && h->waited < 0)
        h->waited = seconds_between(asked.at, now);
    }
  }

  void on_close(const Conn& c, const Stamp&) override {
    for (Handed& h : handed_)
      if (h.who.conversation == c.number) {
        h.lost = c.lost[0] || c.lost[1];
        h.closed = c.end[0] != End::open || c.end[1] != End::open;
      }
  }

  void on_finish(const Stamp&) override {
    // Those of one client and group side by side, in order of time.
    std::ranges::sort(handed_, [](const Handed& a, const Handed& b) {
      return std::tie(a.client, a.group, a.who.at.time_ns) < std::tie(b.client, b.group, b.who.at.time_ns);
    });
    for (std::size_t i = 0; i < handed_.size(); ++i) {
      if (handed_[i].used || handed_[i].lost) continue;
      const Handed* other = nullptr;
      for (std::size_t step = 1; step <= nearest && !other; ++step) {
        if (i + step < handed_.size() && twins(handed_[i], handed_[i + step])) other = &handed_[i + step];
        if (step <= i && twins(handed_[i], handed_[i - step])) other = &handed_[i - step];
      }
      if (!other) continue;
      const Handed& ghost = handed_[i];
      hit({.group = ghost.group, .api = "JoinGroup", .cause = ghost.member, .witness = &ghost.who}, [&](Text& t) {
        t << Quoted{ghost.group} << ": member id " << Quoted{ghost.member}
          << " was handed out and never used; the group waited " << Decimal{std::max(0.0, other->waited)}
          << " s for it.";
      });
    }
  }

 private:
  static constexpr std::size_t nearest = 16;

  struct Handed {
    std::string client, group, member;
    Witness who;
    double waited = -1;
    bool used = false, lost = false, closed = false;
  };

  Handed* find(std::string_view group, std::string_view member) {
    const std::size_t* const place = by_id_.find(joined({group, member}));
    return place ? &handed_[*place] : nullptr;
  }
  void use(std::string_view group, std::string_view member) {
    if (member.empty()) return;
    if (Handed* const h = find(group, member)) h->used = true;
  }
  /// Is `used` the id that the client went on with, when it forgot `ghost`?
  bool twins(const Handed& ghost, const Handed& used) const {
    if (!used.used || ghost.client != used.client || ghost.group != used.group) return false;
    if (std::abs(seconds_between(ghost.who.at, used.who.at)) * 1000 > option(0)) return false;
    return ghost.who.conversation == used.who.conversation || ghost.closed || used.closed;
  }

  Room room_{*this, "member ids"};
  std::vector<Handed> handed_;
  Bounded<std::string, std::size_t> by_id_;
};

}  // namespace

KPARSE_RULE(
    kp_join_ghost, JoinGhost, .id = "KP-JOIN-GHOST", .severity = Severity::error, .scope = RuleScope::group,
    .condition =
        "Two JoinGroup answers with MEMBER_ID_REQUIRED (79) give one client (address and client id) two member ids "
        "within ghost-ms, after requests without one on the same connection or on two of which one is closed, and only "
        "one of the ids is used afterwards. Two consumers that both use theirs are fine.",
    .why = "Where the coordinator counts the unused id as a member, the whole group waits for the rebalance timeout.",
    .fix = "Update the client (librdkafka#5570).",
    .example = "g: member id m-aaaa was handed out and never used; the group waited 45 s for it.",
    .sources = "librdkafka#5570; kafka-python#2598; KIP-394", .options = options);

}  // namespace kparse::lint
