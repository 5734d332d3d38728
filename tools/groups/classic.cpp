// SPDX-License-Identifier: MIT
// GroupState: JoinGroup, SyncGroup, Heartbeat, LeaveGroup.
#include <algorithm>
#include <span>

#include "groups/group_state.h"

namespace kparse::groups {
namespace {

constexpr std::int16_t rebalance_in_progress = 27, member_id_required = 79;

}  // namespace

void GroupState::classic_answer(const GroupCall& c, const GroupAnswer& a, const Speaker& s) {
  using Kind = GroupCall::Kind;
  if (c.kind == Kind::join && (a.error == 0 || a.error == member_id_required)) return joined(c, a, s);
  const std::uint32_t m = c.kind == Kind::leave ? 0 : member(c.member, c.instance, &s, s.at);
  if (c.kind == Kind::leave) return left(c, a, s);
  if (a.error == rebalance_in_progress) {
    // Told with every heartbeat until the member joins again: once is enough.
    const auto& events = group_.events;
    for (std::size_t i = events.size(); i > 0 && i + 64 > events.size(); --i)
      if (events[i - 1].member == m && m != 0) {
        if (events[i - 1].what == What::rebalance && events[i - 1].generation == c.generation) return;
        break;
      }
    if (Event* e = add(What::rebalance, s, m, c.generation)) e->error = a.error;
    return;
  }
  if (a.error != 0) return fault(c, a, s, m);
  if (c.kind == Kind::sync) synced(c, a, s);
}

void GroupState::joined(const GroupCall& c, const GroupAnswer& a, const Speaker& s) {
  const std::uint32_t m = member(a.member.empty() ? c.member : a.member, c.instance, &s, s.at);
  if (a.error == member_id_required) {
    if (Event* e = add(What::member_id, s, m, -1)) e->error = a.error;
    return;
  }
  if (!a.protocol_type.empty()) group_.protocol_type = story::clipped(a.protocol_type, 128);
  group_.protocol = story::clipped(a.protocol, 128);
  if (Member* r = row(m)) {
    if (!r->gone.empty() || r->joined.packet == 0) r->joined = s.at;
    r->gone.clear();
    r->generation = a.generation;
  }
  bool unlisted = false;
  if (a.generation > now_.number || (a.generation < now_.number && a.generation == 1)) {
    const bool anew = a.generation < now_.number;
    close_generation();
    if (anew) now_ = {};
    now_.number = a.generation;
    now_.leader = story::clipped(a.leader);
    now_.protocol = story::clipped(a.protocol, 128);
  }
  if (a.generation == now_.number) {
    if (c.whole) now_.joined.insert(m);
    // A static member that comes back to a generation already at work disturbs nobody. By time: behind lost bytes a
    // connection is heard later than others.
    const bool at_work = !now_.synced.empty() && !story::earlier(c.at, now_.first_sync);
    if (!at_work && (!now_.begin_known || story::earlier(c.at, now_.begin))) {
      now_.begin = c.at;
      now_.begin_known = true;
    }
    if (!at_work && before_members_.contains(m) &&
        (!now_.begin_again_known || story::earlier(c.at, now_.begin_again))) {
      now_.begin_again = c.at;
      now_.begin_again_known = true;
    }
    if (!a.members.empty() && !now_.complete) {
      if (!now_.synced.empty()) now_.patched = true;  // the list is of later than what was heard
      now_.members.clear();
      for (const GroupMember& listed : a.members)
        if (const std::uint32_t n = member(listed.member, listed.instance, nullptr, s.at)) now_.members.push_back(n);
      unlisted = true;
    }
  }
  if (Event* e = add(What::joined, s, m, a.generation)) {
    e->reason = kept_text(c.reason);
    e->leader = story::clipped(a.leader);
    e->protocol = story::clipped(a.protocol, 128);
  }
  if (unlisted && s.whole) gone_unsaid(a, s);
}

// Who was halted or timed out says nothing: the list of the next generation is without it.
void GroupState::gone_unsaid(const GroupAnswer& a, const Speaker& s) {
  constexpr std::uint64_t most = 100'000'000;
  compared_ += group_.members.size();
  if (compared_ > most || a.members.size() >= (1u << 16)) return;  // longer lists are cut
  std::set<std::string_view> ids;
  for (const GroupMember& listed : a.members) ids.insert(listed.member);
  if (ids.contains({})) return;  // not all of it was captured
  for (std::uint32_t n = 1; n <= group_.members.size(); ++n) {
    const Member& was = group_.members[n - 1];
    // One that only has its id yet isn't a member; one heard in this generation or a later one is in it.
    const bool known = was.generation >= 0 || was.assigned_known || was.heartbeats > 0;
    if (!known || !was.gone.empty() || was.generation >= a.generation || !story::earlier(was.first, s.at) ||
        ids.contains(was.member))
      continue;
    const bool again = std::any_of(now_.members.begin(), now_.members.end(),
                                   [&](std::uint32_t other) { return same_member(n, other); });
    const std::string_view why = again ? "its instance has another member id" : std::string_view{};
    if (Event* e = add(What::not_listed, s, n, a.generation)) e->reason = why;
    gone(n, "not listed", why, s.at);
  }
}

void GroupState::synced(const GroupCall& c, const GroupAnswer& a, const Speaker& s) {
  const std::uint32_t m = member(c.member, c.instance, &s, s.at);
  if (!a.protocol_type.empty() && group_.protocol_type.empty())
    group_.protocol_type = story::clipped(a.protocol_type, 128);
  Assignment assignment = assignment_of(a, a.protocol_type != "consumer" && a.assigned.empty());
  if (Member* r = row(m)) {
    r->generation = c.generation;
    r->gone.clear();
  }
  if (Event* e = add(What::assigned, s, m, c.generation)) {
    assign(m, assignment, e, s.at);
    e->assignment = assignment;
  } else {
    assign(m, assignment, nullptr, s.at);
  }
  if (c.generation > now_.number) {  // its JoinGroup was before the capture, or lost
    close_generation();
    now_.number = c.generation;
    now_.protocol = story::clipped(a.protocol, 128);
  }
  if (c.generation != now_.number || !m) return;
  if (now_.complete) {
    now_.later.insert(m);
    return;
  }
  // A static member that came back is another one with the same part.
  auto& members = now_.members;
  if (!members.empty() && std::find(members.begin(), members.end(), m) == members.end()) {
    const auto old = std::find_if(members.begin(), members.end(), [&](std::uint32_t n) { return same_member(n, m); });
    if (old == members.end()) {
      members.push_back(m);
    } else {
      now_.plan.erase(*old);
      now_.synced.erase(*old);
      *old = m;
      now_.patched = true;
    }
  }
  now_.plan[m] = std::move(assignment);
  if (now_.synced.empty() || story::earlier(s.at, now_.first_sync)) now_.first_sync = s.at;
  now_.synced.insert(m);
  if (story::earlier(now_.last_sync, s.at)) {
    now_.last_sync = s.at;
    now_.last_sync_first = s.first;
  }
  now_.complete = !members.empty() &&
                  std::all_of(members.begin(), members.end(), [&](std::uint32_t n) { return now_.synced.contains(n); });
}

std::uint32_t GroupState::only_member(const Speaker& s) {
  const std::uint32_t speaker = person(s);
  std::uint32_t found = 0;
  for (std::uint32_t n = 1; n <= group_.members.size(); ++n) {
    if (speaker == 0 || group_.members[n - 1].person != speaker || !group_.members[n - 1].gone.empty()) continue;
    if (found) return 0;
    found = n;
  }
  return found;
}

void GroupState::left(const GroupCall& c, const GroupAnswer& a, const Speaker& s) {
  std::size_t n = 0;
  const GroupMember nobody[1]{};
  const bool cut = c.members.empty() && !c.whole;
  for (const GroupMember& who : cut ? std::span<const GroupMember>(nobody) : c.members) {
    // Before version 3 there is one member and no list of results.
    const std::int16_t error = a.error != 0 ? a.error : n < a.members.size() ? a.members[n].error : std::int16_t{0};
    ++n;
    std::uint32_t m = member(who.member, who.instance, nullptr, s.at);
    // The id comes first: with neither, it wasn't captured. Then it is who speaks there, if that is one alone.
    const bool unknown = who.member.empty() && who.instance.empty();
    if (unknown) m = only_member(s);
    const bool named = m != 0;
    if (!m && !who.instance.empty())  // an admin names the instance only: most likely the newest with it
      for (std::uint32_t i = static_cast<std::uint32_t>(group_.members.size()); i > 0 && !m; --i)
        if (group_.members[i - 1].instance == who.instance && group_.members[i - 1].gone.empty()) m = i;
    const Member* r = row(m);
    // Members give their id when they leave; only an admin names the instance alone (KIP-345).
    // Of nobody it can't be told whether he leaves himself.
    const bool self =
        unknown || (!who.member.empty() &&
                    (!r || r->person == 0 || r->person == person(s) ||
                     (group_.people[r->person - 1].client_id == s.person.client_id &&
                      story::host_of(group_.people[r->person - 1].address) == story::host_of(s.person.address))));
    Event* e = add(error != 0 ? What::error
                   : self     ? What::leave
                              : What::removed,
                   s, named ? m : 0, named && r ? r->generation : -1);
    if (e) {
      e->reason = kept_text(who.reason);
      e->instance = kept_text(who.instance);
      e->error = error;
      e->call = "leave";
    }
    if (error == 0) gone(m, self ? "left" : "removed", who.reason, s.at);
  }
  if (c.members.empty() && !cut && a.error != 0) fault(c, a, s, 0);
}

void GroupState::close_generation() {
  if (now_.number < 0) return;
  ++group_.generations;
  if (now_.synced.empty()) {  // nobody got its part: the group goes on standing still
    Generation next;
    next.begin_again = now_.begin_again;
    next.begin_again_known = now_.begin_again_known;
    now_ = std::move(next);
    return;
  }
  const Stamp begin = now_.begin_again_known ? now_.begin_again : now_.begin;
  // How long it took is known only if all members were seen to join and to get their part.
  const bool measured = now_.complete && !now_.patched &&
                        (now_.begin_again_known || (now_.begin_known && now_.number == 1)) &&
                        (before_known_ || now_.number == 1) &&
                        std::includes(now_.joined.begin(), now_.joined.end(), now_.synced.begin(), now_.synced.end());
  std::map<PartitionKey, std::uint32_t> owners;
  for (const auto& [m, assignment] : now_.plan)
    for (const PartitionKey& p : assignment.partitions) owners[p] = m;

  if (Budget::take(budget_.events, budget_.events_out)) {
    Event& e = group_.events.emplace_back();
    e.what = What::generation;
    e.at = now_.last_sync;
    e.first = now_.last_sync_first;
    e.generation = now_.number;
    e.leader = now_.leader;
    e.protocol = now_.protocol;
    e.members = static_cast<std::uint32_t>(now_.members.size());
    e.synced = static_cast<std::uint32_t>(now_.synced.size());
    if (!now_.members.empty())
      e.synced = static_cast<std::uint32_t>(std::count_if(now_.members.begin(), now_.members.end(),
                                                          [&](std::uint32_t n) { return now_.synced.contains(n); }));
    for (const auto& [m, assignment] : now_.plan) {
      const std::size_t size = assignment.partitions.size() + assignment.tasks.size() + assignment.raw.size() / 8;
      if (!Budget::take(budget_.partitions, budget_.partitions_out, size)) continue;
      e.plan.emplace_back(m, assignment);
    }
    e.moved_known = before_known_ && now_.complete && !now_.patched;
    if (e.moved_known) {
      for (const auto& [p, m] : owners) {
        const auto it = before_.find(p);
        const std::uint32_t from = it == before_.end() ? 0 : it->second;
        if (from != m && !same_member(from, m) && Budget::take(budget_.partitions, budget_.partitions_out))
          e.moved.push_back({p, from, m});
      }
      for (const auto& [p, m] : before_)
        if (!owners.contains(p) && Budget::take(budget_.partitions, budget_.partitions_out))
          e.moved.push_back({p, m, 0});
    }
    if (measured && !cooperative()) e.standstill_ns = std::max<std::int64_t>(0, now_.last_sync.time_ns - begin.time_ns);
  }
  // What is on its way between Connect's workers isn't followed.
  if (measured && !(cooperative() && group_.protocol_type == "connect")) {
    group_.standstill_ns = std::max<std::int64_t>(group_.standstill_ns, 0);
    if (!cooperative()) group_.standstill_ns += std::max<std::int64_t>(0, now_.last_sync.time_ns - begin.time_ns);
  }
  // What members heard is all there is to compare with only if all of them were seen.
  before_known_ = now_.complete && !now_.patched;
  before_ = std::move(owners);
  before_members_ = std::move(now_.synced);
  before_members_.merge(now_.later);
  now_ = {};
}

}  // namespace kparse::groups
