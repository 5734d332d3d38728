// SPDX-License-Identifier: MIT
// GroupState: heartbeats of KIP-848, KIP-932 and KIP-1071.
#include <algorithm>

#include "groups/group_state.h"

namespace kparse::groups {
namespace {

constexpr std::int32_t joins = 0, leaves = -1, leaves_for_a_while = -2;

}  // namespace

bool GroupState::anybody() const noexcept {
  return std::any_of(group_.members.begin(), group_.members.end(),
                     [](const Member& m) { return m.gone.empty() && m.generation > 0; });
}

// A partition has no owner from when one member lost it until another has it. Back to the same member doesn't count: in
// between it may have been with one that the capture doesn't show.
void GroupState::owner(const PartitionKey& p, std::uint32_t member, const Stamp& at) {
  auto it = owners_.find(p);
  if (it == owners_.end()) {
    if (member == 0 || !Budget::take(budget_.rows, budget_.rows_out)) return;
    it = owners_.emplace(p, Owner{}).first;
  }
  Owner& o = it->second;
  if (o.now == member) return;
  if (Member* m = row(o.now)) m->held.erase(p);
  if (Member* m = row(member)) m->held.insert(p);
  if (member == 0) {
    o.last = o.now;
    o.since = at.time_ns;
  } else if (o.now == 0 && o.last != 0 && o.last != member && at.time_ns > o.since) {
    if (Budget::take(budget_.rows, budget_.rows_out)) ownerless_.emplace_back(o.since, at.time_ns);
  }
  o.now = member;
}

void GroupState::heartbeat_call(const GroupCall& c, const Speaker& s) {
  const std::uint32_t m = member(c.member, c.instance, &s, s.at);
  Member* r = row(m);
  if (r) {
    ++r->heartbeats;
    if (!c.rack.empty()) r->rack = story::clipped(c.rack, 128);
  }
  if (c.generation == joins) {
    if (Event* e = add(What::join, s, m, 0))
      if (!c.server_assignor.empty()) e->protocol = story::clipped(c.server_assignor, 128);
    if (r) {
      r->generation = -1;
      r->assigned_known = false;
      r->assigned.clear();
      r->tasks.clear();
    }
  }
  if (!c.server_assignor.empty()) group_.protocol = story::clipped(c.server_assignor, 128);
  if (r && (c.topics_told || !c.topic_regex.empty())) {
    std::set<std::string> topics;
    for (const std::string_view t : c.topics)
      if (topics.size() < 256) topics.insert(story::clipped(t));
    std::string regex = c.topic_regex.empty() ? r->topic_regex : story::clipped(c.topic_regex);
    const bool news = topics != r->topics || regex != r->topic_regex;
    if (news && r->topics_known && c.generation > joins) {
      if (Event* e = add(What::subscribed, s, m, c.generation)) {
        for (const std::string& t : topics) e->reason += (e->reason.empty() ? "" : ", ") + t;
        if (!regex.empty()) e->reason += (e->reason.empty() ? "" : ", ") + regex;
        if (e->reason.empty()) e->reason = "nothing";
        e->reason = kept_text(e->reason);
      }
    }
    r->topics = std::move(topics);
    r->topic_regex = std::move(regex);
    r->topics_known = true;
  }
  if (r && c.owned_told && c.generation > joins && group_.kind != GroupKind::share) {
    Partitions owned;
    for (const PartitionRef& p : c.owned) owned.insert({topics_.of(p.topic), p.partition});
    // What it has given up is free for others now.
    Partitions free;
    for (const PartitionKey& p : r->held)
      if (!owned.contains(p) && !r->assigned.contains(p)) free.insert(p);
    for (const PartitionKey& p : free) owner(p, 0, s.at);
    if (Event* e = add(What::owns, s, m, c.generation)) {
      e->assignment.told = true;
      if (Budget::take(budget_.partitions, budget_.partitions_out, owned.size() + c.tasks.size())) {
        e->assignment.partitions.assign(owned.begin(), owned.end());
        for (const StreamsTask& t : c.tasks)
          e->assignment.tasks.push_back({t.role, story::clipped(t.subtopology, 128), t.partition});
      } else {
        e->assignment.cut = true;
      }
    }
  }
}

void GroupState::heartbeat_answer(const GroupCall& c, const GroupAnswer& a, const Speaker& s) {
  const std::uint32_t m = member(a.member.empty() ? c.member : a.member, c.instance, &s, s.at);
  if (a.error != 0) return fault(c, a, s, m);
  Member* r = row(m);
  if (c.whole && (c.generation == leaves || c.generation == leaves_for_a_while)) {
    add(c.generation == leaves ? What::leave : What::static_leave, s, m, r ? r->generation : -1);
    return gone(m, c.generation == leaves ? "left" : "left for a while", {}, s.at);
  }
  const std::int32_t before = r ? r->generation : -1;
  if (r) {
    if (!r->gone.empty() || (r->joined.packet == 0 && c.whole && c.generation == joins)) r->joined = s.at;
    r->gone.clear();
    r->generation = a.generation;
  }
  if (c.whole && c.generation == joins) add(What::joined, s, m, a.generation);
  if (a.assignment_told) {
    Assignment assignment = assignment_of(a, false);
    Event* e = add(What::assigned, s, m, a.generation);
    assign(m, assignment, e, s.at);
    if (e) e->assignment = std::move(assignment);
  } else if (before > 0 && a.generation != before) {
    add(What::epoch, s, m, a.generation);
  }
  std::set<std::string> status;  // comes with every answer: only news are events
  for (const std::string_view told : a.status) {
    if (status.size() >= 16) break;
    std::string text = story::clipped(told);
    if ((!r || !r->status.contains(text)) && !status.contains(text))
      if (Event* e = add(What::status, s, m, a.generation)) e->reason = kept_text(told);
    status.insert(std::move(text));
  }
  if (r) r->status = std::move(status);
}

}  // namespace kparse::groups
