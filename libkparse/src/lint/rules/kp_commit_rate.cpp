// SPDX-License-Identifier: MIT
#include <algorithm>
#include <deque>

#include "kparse/saturate.h"
#include "lint/keys.h"
#include "lint/rule.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {
    {"commit-rate", 10, "commits a second", "more than this over 10 s"},
    {"commit-same-share", 50, "%", "of a member's at least 20 commits, that change nothing"}};
constexpr std::int64_t window = 10'000'000'000;
constexpr std::uint64_t least = 20;
constexpr std::size_t most_kept = 100'000;

class CommitRate final : public Rule {
 public:
  using Rule::Rule;

  void on_offset_commit(const OffsetCommit& o) override {
    if (o.transactional) return;
    Member* const m = members_[conn()].get(joined({o.group, o.member}), room_for_members_);
    if (!m) return;
    if (m->commits == 0 || m->serial != o.serial) begin(*m, o);
    std::int64_t* const there = m->offsets.get(partition_key(o.topic, o.partition), room_for_partitions_);
    const std::int64_t kept = saturated_sum(o.offset, 1);
    if (!there || *there != kept) m->changes = true;
    // Only what the coordinator took is committed. Kept plus one: 0 is new.
    if (there && o.answered && o.error == 0) *there = kept;
  }

  void on_close(const Conn& c, const Stamp&) override {
    Members* const members = members_.find(c);
    if (!members) return;
    for (auto& [key, m] : *members) {
      m.same += !m.changes;
      const double share = 100 * static_cast<double>(m.same) / static_cast<double>(m.commits);
      if (m.commits < least || share <= option(1)) continue;
      const double seconds = seconds_between(m.first, m.last);
      say(c, m, static_cast<double>(m.commits) / std::max(seconds, 1.0), m.first);
    }
    members_.drop(c);
  }

 private:
  struct Member {
    std::string group;
    std::uint64_t serial = 0, commits = 0, same = 0;
    bool changes = true;
    Stamp first, last;
    std::deque<std::int64_t> times;
    Bounded<PartitionKey, std::int64_t, KeyHash> offsets;
  };
  using Members = Bounded<std::string, Member>;

  void begin(Member& m, const OffsetCommit& o) {
    if (m.commits == 0) {
      m.group = o.group;
      m.first = o.first;
    } else {
      m.same += !m.changes;
    }
    m.changes = false;
    ++m.commits;
    m.serial = o.serial;
    m.last = o.first;
    m.times.push_back(o.first.time_ns);
    while (m.times.size() > most_kept || m.times.back() - m.times.front() > window) m.times.pop_front();
    const double rate = static_cast<double>(m.times.size()) / 10;
    if (rate > option(0)) say(conn(), m, rate, o.first);
  }

  void say(const Conn& c, const Member& m, double rate, const Stamp& at) {
    hit({.group = m.group, .api = "OffsetCommit", .conn = &c, .at = &at}, [&](Text& t) {
      t << Quoted{m.group} << ": " << c.client() << " commits " << Decimal{rate} << " times a second (" << m.same
        << " of " << m.commits << " unchanged).";
    });
  }

  Room room_for_members_{*this, "a connection's group members"};
  Room room_for_partitions_{*this, "a member's partitions"};
  PerConn<Members> members_;
};

}  // namespace

KPARSE_RULE(kp_commit_rate, CommitRate, .id = "KP-COMMIT-RATE", .severity = Severity::notice, .scope = RuleScope::group,
            .condition =
                "A member sends more than commit-rate OffsetCommit a second over 10 s, or more than commit-same-share "
                "of its at least 20 commits on a connection repeat offsets that are committed already.",
            .why = "Each commit is a replicated write.", .fix = "Commit per batch or by time.",
            .example = "g: 10.0.0.1:50000 commits 2.1 times a second (19 of 20 unchanged).",
            .sources = "OffsetCommit's cost", .healthy = true, .options = options);

}  // namespace kparse::lint
