// SPDX-License-Identifier: MIT
#include <algorithm>

#include "lint/keys.h"
#include "lint/rule.h"

namespace kparse::lint {
namespace {

class HbLate final : public Rule {
 public:
  using Rule::Rule;

  void on_group_call(const GroupCall& g) override {
    if (g.group_kind != GroupKind::classic) return;
    Members& members = members_[conn()];
    if (g.kind == GroupCall::Kind::leave) {
      members.erase(joined({g.group, g.member}));
      for (const GroupMember& m : g.members) members.erase(joined({g.group, m.member}));
      return;
    }
    Member* const m = members.find(joined({g.group, g.member}));
    if (!m) {
      if (Member* const there = elsewhere(joined({g.group, g.member}))) there->last = g.at;
      return;
    }
    const double ms = seconds_between(m->last, g.first) * 1000;
    if (!m->waits && ms > m->timeout_ms && !conn().lost[static_cast<int>(Side::client)]) {
      hit({.group = g.group, .cause = g.member}, [&](Text& t) {
        t << Quoted{g.group} << ": " << Quoted{g.member} << " sent no heartbeat for " << Decimal{ms, 0}
          << " ms; the session timeout is " << m->timeout_ms << " ms.";
      });
    }
    m->last = g.at;
    // The coordinator keeps a member whose answer is due.
    m->waits = g.kind != GroupCall::Kind::heartbeat;
  }

  void on_group_answer(const GroupCall& asked, const GroupAnswer& a) override {
    if (asked.group_kind != GroupKind::classic) return;
    Members& members = members_[conn()];
    const Stamp& now = frames().response->frame.first;
    if (asked.kind == GroupCall::Kind::join) {
      if (a.error != 0) return members.erase(joined({asked.group, asked.member}));
      Member* const m = asked.session_timeout_ms > 0 ? members.get(joined({asked.group, a.member}), room_) : nullptr;
      if (m) *m = {.last = now, .timeout_ms = asked.session_timeout_ms};
      if (std::uint64_t* const n = m ? joined_on_.get(joined({asked.group, a.member}), room_for_all_) : nullptr)
        *n = conn().number;
      return;
    }
    const std::string key = joined({asked.group, asked.member});
    Member* const m = members.find(key);
    if (!m) return;
    if (a.error != 0 && a.error != rebalance_in_progress) return members.erase(key);
    if (asked.kind == GroupCall::Kind::sync) *m = {.last = now, .timeout_ms = m->timeout_ms};
  }

  void on_offset_commit(const OffsetCommit& o) override {
    if (o.member.empty()) return;
    Members* const members = members_.find(conn());
    Member* m = members ? members->find(joined({o.group, o.member})) : nullptr;
    if (!m) m = elsewhere(joined({o.group, o.member}));
    if (m && o.at.time_ns > m->last.time_ns) m->last = o.at;
  }

  void on_close(const Conn& c, const Stamp&) override {
    if (Members* const members = members_.find(c)) {
      for (const auto& [key, m] : *members)
        if (const std::uint64_t* const n = joined_on_.find(key); n && *n == c.number) joined_on_.erase(key);
    }
    members_.drop(c);
  }

 private:
  static constexpr std::int16_t rebalance_in_progress = 27;

  struct Member {
    Stamp last;  ///< when the coordinator heard of it, or told it something it had to wait for
    std::int32_t timeout_ms = 0;
    bool waits = false;
  };
  using Members = Bounded<std::string, Member>;
  /// Of a member that joined on another connection.
  Member* elsewhere(const std::string& key) {
    const std::uint64_t* const n = joined_on_.find(key);
    const Conn* const c = n ? desk_.conn(*n) : nullptr;
    Members* const members = c ? members_.find(*c) : nullptr;
    return members ? members->find(key) : nullptr;
  }

  Room room_{*this, "a connection's group members"};
  Room room_for_all_{*this, "group members"};
  PerConn<Members> members_;
  Bounded<std::string, std::uint64_t> joined_on_;   ///< members' connections
};

}  // namespace

KPARSE_RULE(kp_hb_late, HbLate, .id = "KP-HB-LATE", .severity = Severity::warning, .scope = RuleScope::group,
            .condition =
                "Between two requests of a member to its coordinator (Heartbeat, JoinGroup, SyncGroup, OffsetCommit), "
                "on connections without loss, is more time than the session timeout of its JoinGroup; waiting for "
                "the answer to a JoinGroup or SyncGroup doesn't count.",
            .why = "The coordinator throws it out, and a rebalance follows.",
            .fix = "Look at the client's pauses; raise session.timeout.ms.",
            .example = "g: m-1 sent no heartbeat for 12001 ms; the session timeout is 10000 ms.", .sources = "KIP-62");

}  // namespace kparse::lint
