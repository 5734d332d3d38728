// SPDX-License-Identifier: MIT
#include "groups/group_state.h"

#include <algorithm>
#include <limits>

#include "kparse/saturate.h"

namespace kparse::groups {

std::string_view name_of(What w) noexcept {
  switch (w) {
    case What::join:
      return "join";
    case What::member_id:
      return "memberId";
    case What::joined:
      return "joined";
    case What::assigned:
      return "assigned";
    case What::owns:
      return "owns";
    case What::epoch:
      return "epoch";
    case What::generation:
      return "generation";
    case What::rebalance:
      return "rebalance";
    case What::subscribed:
      return "subscribed";
    case What::leave:
      return "leave";
    case What::static_leave:
      return "staticLeave";
    case What::removed:
      return "removed";
    case What::not_listed:
      return "notListed";
    case What::fenced:
      return "fenced";
    case What::status:
      return "status";
    case What::error:
      return "error";
    case What::unanswered:
      return "unanswered";
  }
  return "";
}

namespace {

constexpr std::string_view call_name(GroupCall::Kind k) noexcept {
  switch (k) {
    case GroupCall::Kind::join:
      return "join";
    case GroupCall::Kind::sync:
      return "sync";
    case GroupCall::Kind::heartbeat:
      return "heartbeat";
    case GroupCall::Kind::leave:
      return "leave";
  }
  return "";
}

/// FENCED_INSTANCE_ID, UNKNOWN_MEMBER_ID, ILLEGAL_GENERATION, FENCED_MEMBER_EPOCH: the member isn't one any more.
constexpr bool is_fencing(std::int16_t error) noexcept {
  return error == 82 || error == 25 || error == 22 || error == 110;
}

}  // namespace

GroupState::GroupState(std::string name, Budget& budget, story::TopicIndex& topics) : budget_(budget), topics_(topics) {
  group_.name = std::move(name);
}

std::string GroupState::kept_text(std::string_view text) {
  std::string kept = story::clipped(text);
  if (kept.size() > 32 && !Budget::take(budget_.bytes, budget_.bytes_out, kept.size())) return "...";
  return kept;
}

std::uint32_t GroupState::person(const Speaker& s) {
  const std::string key = s.person.address + '\0' + s.person.client_id;
  const auto it = by_person_.find(key);
  if (it != by_person_.end()) {
    if (!s.person.software.empty()) {
      group_.people[it->second - 1].software = s.person.software;
      group_.people[it->second - 1].software_version = s.person.software_version;
    }
    return it->second;
  }
  if (!Budget::take(budget_.people, budget_.people_out)) return 0;
  group_.people.push_back(s.person);
  return by_person_.emplace(key, static_cast<std::uint32_t>(group_.people.size())).first->second;
}

std::uint32_t GroupState::member(std::string_view id, std::string_view instance, const Speaker* s, const Stamp& at) {
  if (id.empty() || id.size() > 1024) return 0;
  auto it = by_id_.find(id);
  if (it == by_id_.end()) {
    if (!Budget::take(budget_.members, budget_.members_out)) return 0;
    Member& m = group_.members.emplace_back();
    m.member = id;
    m.first = at;
    it = by_id_.emplace(std::string(id), static_cast<std::uint32_t>(group_.members.size())).first;
  }
  Member& m = group_.members[it->second - 1];
  if (!instance.empty()) m.instance = story::clipped(instance);
  m.last = at;
  if (s) m.person = person(*s);
  return it->second;
}

Event* GroupState::add(What what, const Speaker& s, std::uint32_t member, std::int32_t generation) {
  if (!Budget::take(budget_.events, budget_.events_out)) return nullptr;
  Event& e = group_.events.emplace_back();
  e.what = what;
  e.first = s.first;
  e.at = s.at;
  e.member = member;
  e.generation = generation;
  e.by = person(s);
  return &e;
}

// KIP-429; Kafka Streams (StreamsPartitionAssignor) since 2.4; Connect (KIP-415, KIP-507): its "default" is eager.
bool GroupState::cooperative() const {
  const std::string& type = group_.protocol_type;
  const std::string& name = group_.protocol;
  if (type == "connect") return name == "compatible" || name == "sessioned";
  if (name == "stream") return !old_streams_;
  return name.find("cooperative") != std::string::npos;
}

void GroupState::kind(GroupKind k) {
  group_.kind_known = true;
  group_.kind = k;
  group_.kinds.emplace(kparse::name_of(k));
}

void GroupState::gone(std::uint32_t number, std::string_view how, std::string_view reason, const Stamp& at) {
  Member* m = row(number);
  if (!m) return;
  m->gone = how;
  m->gone_reason = kept_text(reason);
  m->gone_at = at;
  const Partitions held = std::move(m->held);
  for (const PartitionKey& p : held) owner(p, 0, at);
  m->held.clear();
  m->assigned.clear();
  m->tasks.clear();
  if (!anybody()) owners_.clear();  // without members nothing stands still
}

Assignment GroupState::assignment_of(const GroupAnswer& a, bool raw) {
  Assignment out;
  out.told = a.assignment_told;
  const std::size_t size = a.assigned.size() + a.tasks.size() + (raw ? a.assignment.size() / 8 : 0);
  if (!Budget::take(budget_.partitions, budget_.partitions_out, size)) {
    out.cut = true;
    return out;
  }
  for (const PartitionRef& p : a.assigned) out.partitions.push_back({topics_.of(p.topic), p.partition});
  for (const StreamsTask& t : a.tasks) out.tasks.push_back({t.role, story::clipped(t.subtopology, 128), t.partition});
  if (raw) out.raw.assign(a.assignment.begin(), a.assignment.end());
  return out;
}

void GroupState::assign(std::uint32_t number, const Assignment& a, Event* event, const Stamp& at) {
  Member* m = row(number);
  if (!m || a.cut) return;
  const Partitions to(a.partitions.begin(), a.partitions.end());
  if (event) {
    std::set_difference(to.begin(), to.end(), m->assigned.begin(), m->assigned.end(), std::back_inserter(event->added));
    std::set_difference(m->assigned.begin(), m->assigned.end(), to.begin(), to.end(),
                        std::back_inserter(event->removed));
  }
  if (group_.kind == GroupKind::classic && cooperative())
    for (const PartitionKey& p : m->assigned)
      if (!to.contains(p)) owner(p, 0, at);
  m->assigned_known = true;
  m->assigned = to;
  m->tasks = {a.tasks.begin(), a.tasks.end()};
  if (group_.kind == GroupKind::consumer || (group_.kind == GroupKind::classic && cooperative()))
    for (const PartitionKey& p : to) owner(p, number, at);
}

void GroupState::call(const GroupCall& c, const Speaker& s) {
  kind(c.group_kind);
  coordinator(s.person.server);
  if (!c.protocol_type.empty()) group_.protocol_type = story::clipped(c.protocol_type, 128);
  const std::uint32_t m = c.kind == GroupCall::Kind::leave ? 0 : member(c.member, c.instance, &s, s.at);
  if (c.group_kind != GroupKind::classic) {
    heartbeat_call(c, s);
    return;
  }
  if (c.kind == GroupCall::Kind::join) {
    // Subscriptions of version 0 are of before KIP-429: one such member makes all rebalance eagerly.
    for (const GroupProtocol& p : c.protocols)
      if (p.name == "stream" && p.metadata.size() >= 2 && p.metadata.data()[0] == 0 && p.metadata.data()[1] == 0)
        old_streams_ = true;
    if (Event* e = add(What::join, s, m, -1)) {
      e->reason = kept_text(c.reason);
      e->instance = kept_text(c.instance);
    }
  } else if (c.kind == GroupCall::Kind::heartbeat) {
    if (Member* r = row(m)) ++r->heartbeats;
  }
}

void GroupState::answer(const GroupCall& c, const GroupAnswer& a, const Speaker& s) {
  kind(c.group_kind);
  if (c.group_kind == GroupKind::classic) {
    classic_answer(c, a, s);
  } else {
    heartbeat_answer(c, a, s);
  }
}

// The same fault again is the same event, so that a member which tries for hours isn't hours of events.
void GroupState::fault(const GroupCall& c, const GroupAnswer& a, const Speaker& s, std::uint32_t m) {
  const std::tuple key{m, call_name(c.kind), a.error};
  const auto it = faults_.find(key);
  if (it != faults_.end() && it->second + 64 > group_.events.size()) {
    Event& e = group_.events[it->second];
    if (e.generation == c.generation) {
      ++e.count;
      return;
    }
  }
  Event* e = add(is_fencing(a.error) ? What::fenced : What::error, s, m, c.generation);
  if (!e) return;
  e->error = a.error;
  e->call = call_name(c.kind);
  e->reason = kept_text(a.error_message);
  faults_[key] = group_.events.size() - 1;
  if (is_fencing(a.error)) gone(m, "fenced", story::error_text(a.error), s.at);
}

void GroupState::unanswered(const std::string& call, const std::string& id, const Speaker& s) {
  const auto it = by_id_.find(id);
  if (Event* e = add(What::unanswered, s, it == by_id_.end() ? 0 : it->second, -1)) e->reason = call;
}

void GroupState::commit(const OffsetCommit& o, const Speaker& s) {
  coordinator(s.person.server);
  const std::uint32_t m = member(o.member, o.instance, o.transactional ? nullptr : &s, s.at);
  const PartitionKey key{topics_.of(o.topic), o.partition};
  auto it = group_.progress.find(key);
  if (it == group_.progress.end() && Budget::take(budget_.rows, budget_.rows_out))
    it = group_.progress.emplace(key, Progress{}).first;
  if (it != group_.progress.end()) {
    Progress& p = it->second;
    ++p.commits;
    if (o.answered && o.error == 0) {
      p.committed = o.offset;
      p.at = s.at;
    } else if (o.error != 0) {
      ++p.failed;
    }
  }
  if (!Budget::take(budget_.commits, budget_.commits_out)) return;
  group_.commits.push_back({.first = o.first,
                            .at = o.at,
                            .member = m,
                            .by = person(s),
                            .generation = o.generation,
                            .partition = key,
                            .offset = o.offset,
                            .metadata = kept_text(o.metadata),
                            .transactional_id = kept_text(o.transactional_id),
                            .answered = o.answered,
                            .error = o.error});
}

void GroupState::fetched(const OffsetFetched& o) {
  if (o.error != 0) return;
  const PartitionKey key{topics_.of(o.topic), o.partition};
  auto it = group_.progress.find(key);
  if (it == group_.progress.end()) {
    if (!Budget::take(budget_.rows, budget_.rows_out)) return;
    it = group_.progress.emplace(key, Progress{}).first;
  }
  if (o.offset >= 0) {
    it->second.told = o.offset;
  } else {
    it->second.told_none = true;
  }
}

void GroupState::acquired(const ShareAcquired& a, const Speaker& s) {
  const auto records = offsets_in(a.first_offset, a.last_offset);
  if (Member* m = row(member(a.member, {}, &s, s.at))) m->acquired += records;
  const PartitionKey key{topics_.of(a.topic), a.partition};
  auto it = group_.deliveries.find(key);
  if (it == group_.deliveries.end()) {
    if (!Budget::take(budget_.rows, budget_.rows_out)) return;
    it = group_.deliveries.emplace(key, Delivery{}).first;
  }
  Delivery& d = it->second;
  d.acquired += records;
  if (a.delivery_count > 1) d.redelivered += records;
  d.most_deliveries = std::max(d.most_deliveries, a.delivery_count);
}

void GroupState::acknowledged(const ShareAcknowledged& a, const Speaker& s) {
  const auto records = offsets_in(a.first_offset, a.last_offset);
  const bool done = a.answered && a.error == 0;
  const std::int8_t type = a.type >= 0 && a.type <= 4 ? a.type : std::int8_t{-1};
  Member* m = row(member(a.member, {}, &s, s.at));
  if (m && done) m->acknowledged[type] += records;
  const PartitionKey key{topics_.of(a.topic), a.partition};
  auto it = group_.deliveries.find(key);
  if (it == group_.deliveries.end()) {
    if (!Budget::take(budget_.rows, budget_.rows_out)) return;
    it = group_.deliveries.emplace(key, Delivery{}).first;
  }
  Delivery& d = it->second;
  if (done) {
    d.acknowledged[type] += records;
  } else {
    (a.answered ? d.failed : d.unanswered) += records;
  }
}

Group GroupState::finish() {
  close_generation();
  const bool assigned =
      std::any_of(group_.members.begin(), group_.members.end(), [](const Member& m) { return m.assigned_known; });
  if (group_.kind_known && (group_.kind == GroupKind::consumer || !ownerless_.empty()) && assigned) {
    std::sort(ownerless_.begin(), ownerless_.end());
    std::int64_t sum = 0, end = std::numeric_limits<std::int64_t>::min();
    for (const auto& [from, to] : ownerless_) {
      sum += std::max<std::int64_t>(0, to - std::max(from, end));
      end = std::max(end, to);
    }
    group_.standstill_ns = std::max<std::int64_t>(group_.standstill_ns, 0) + sum;
  }
  std::stable_sort(group_.events.begin(), group_.events.end(),
                   [](const Event& a, const Event& b) { return story::earlier(a.at, b.at); });
  std::stable_sort(group_.commits.begin(), group_.commits.end(),
                   [](const Commit& a, const Commit& b) { return story::earlier(a.at, b.at); });
  return std::move(group_);
}

}  // namespace kparse::groups
