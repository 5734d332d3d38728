// SPDX-License-Identifier: MIT
#include "groups/group_observer.h"

#include <algorithm>

#include "kparse/saturate.h"

namespace kparse::groups {

namespace {

/// A call that is kept while it is open: JoinGroup, LeaveGroup, SyncGroup.
constexpr bool is_kept(std::int16_t api_key) noexcept { return api_key == 11 || api_key == 13 || api_key == 14; }

}  // namespace

GroupObserver::GroupObserver(std::vector<std::string> only, const Budget& budget)
    : only_(std::move(only)), budget_(budget) {}

GroupState* GroupObserver::group(std::string_view name) {
  if (name.empty()) return nullptr;
  if (!only_.empty() && std::find(only_.begin(), only_.end(), name) == only_.end()) return nullptr;
  const auto it = groups_.find(name);
  if (it != groups_.end()) return it->second.get();
  if (groups_.size() >= max_groups || name.size() > 1024) {
    ++groups_out_;
    return nullptr;
  }
  return groups_.emplace(std::string(name), std::make_unique<GroupState>(std::string(name), budget_, scene_->topics))
      .first->second.get();
}

Speaker GroupObserver::speaker(const Stamp& first, const Stamp& at) const {
  Speaker s;
  if (scene_->conversation) s.person = scene_->person();
  s.first = first;
  s.at = at;
  s.whole = scene_->whole;
  return s;
}

void GroupObserver::begin_request(const ConversationInfo& c, const Request& r) { scene_.request(c, r); }

void GroupObserver::begin_response(const ConversationInfo& c, const Response& r) {
  scene_.response(c, r);
  if (r.matched && is_kept(r.api_key) && !open_.empty()) open_.erase({c.number, r.serial});
}

void GroupObserver::on_client_software(const ClientSoftwareSeen& s) { scene_.software(s); }

void GroupObserver::on_group_call(const GroupCall& c) {
  GroupState* g = group(c.group);
  if (!g) return;
  g->call(c, speaker());
  if (c.group_kind != GroupKind::classic || c.kind == GroupCall::Kind::heartbeat || open_.size() >= 10'000) return;
  open_[{scene_->conversation->number, c.serial}] = {.group = std::string(c.group),
                                              .member = std::string(c.member),
                                              .call = c.kind == GroupCall::Kind::join   ? "JoinGroup"
                                                      : c.kind == GroupCall::Kind::sync ? "SyncGroup"
                                                                                        : "LeaveGroup",
                                              .first = c.first,
                                              .at = c.at};
}

void GroupObserver::on_group_answer(const GroupCall& c, const GroupAnswer& a) {
  if (GroupState* g = group(c.group)) g->answer(c, a, speaker());
}

void GroupObserver::on_offset_commit(const OffsetCommit& o) {
  if (GroupState* g = group(o.group)) g->commit(o, speaker());
}

void GroupObserver::on_offset_fetched(const OffsetFetched& o) {
  if (GroupState* g = group(o.group)) g->fetched(o);
}

namespace {
constexpr auto always = [](const auto&) { return true; };
}

template <class Past>
void GroupObserver::end_of(const TopicRef& topic, std::int32_t partition, std::int64_t offset, Past past) {
  const story::PartitionKey key{scene_->topics.of_frame(topic), partition};
  End* end = ends_.find(key);
  if (!end) {
    if (ends_.size() >= max_ends) {
      ++ends_out_;
      return;
    }
    ends_.add(key) = {offset, scene_->at};
  } else if (past(*end)) {
    *end = {offset, scene_->at};
  }
}

void GroupObserver::on_offset_listed(const OffsetListed& o) {
  constexpr std::int64_t latest = -1;
  if (o.error == 0 && o.asked == latest && o.isolation == 0 && o.offset >= 0) end_of(o.topic, o.partition, o.offset, always);
}

void GroupObserver::on_partition_fetched(const PartitionFetched& p) {
  if (p.error == 0 && p.high_watermark >= 0) end_of(p.topic, p.partition, p.high_watermark, always);
}

// How many records followed the first isn't said, but that one is there.
void GroupObserver::on_produce_answered(const ProduceAnswered& p) {
  if (p.error != 0 || p.base_offset < 0) return;
  end_of(p.topic, p.partition, saturated_sum(p.base_offset, 1), [&](const End& known) { return known.offset <= p.base_offset; });
}

void GroupObserver::on_share_acquired(const ShareAcquired& a) {
  if (GroupState* g = group(a.group)) g->acquired(a, speaker());
}

void GroupObserver::on_share_acknowledged(const ShareAcknowledged& a) {
  if (GroupState* g = group(a.group)) g->acknowledged(a, speaker());
}

void GroupObserver::on_unanswered(const ConversationInfo& c, std::uint64_t serial) {
  scene_.unanswered(c);
  const auto it = open_.find({c.number, serial});
  if (it == open_.end()) return;
  const Open& open = it->second;
  if (GroupState* g = group(open.group))
    g->unanswered(std::string(open.call), open.member, speaker(open.first, open.at));
  open_.erase(it);
}

void GroupObserver::on_limit(const LimitReached& l) {
  story::Limit& mine = event_limits_[std::string(l.table)];
  mine = {std::string(l.table), l.limit, mine.left_out + l.left_out};
}

void GroupObserver::on_close(const ConversationInfo& c, Stamp) {
  scene_.close(c);
  open_.erase(open_.lower_bound({c.number, 0}), open_.upper_bound({c.number, ~std::uint64_t{0}}));
}

GroupsSeen GroupObserver::finish(const Cluster& cluster) {
  GroupsSeen out;
  for (auto& [name, state] : groups_) out.groups.push_back(state->finish());
  groups_.clear();
  out.topics = scene_.resolved_topics(cluster);
  ends_.each([&](const story::PartitionKey& key, const End& end) {
    End& mine = out.ends[out.topics.same(key)];
    const bool together = !story::earlier(mine.at, end.at) && !story::earlier(end.at, mine.at);
    if (mine.offset < 0 || story::earlier(mine.at, end.at) || (together && end.offset > mine.offset)) mine = end;
  });
  const Budget whole;
  out.limits = {{"groups", max_groups, groups_out_},
                {"members of groups", whole.members, budget_.members_out},
                {"clients of groups", whole.people, budget_.people_out},
                {"events of groups", whole.events, budget_.events_out},
                {"commits", whole.commits, budget_.commits_out},
                {"partitions in assignments", whole.partitions, budget_.partitions_out},
                {"partitions of groups", whole.rows, budget_.rows_out},
                {"long texts of groups", whole.bytes, budget_.bytes_out},
                {"ends of partitions", max_ends, ends_out_},
                {"topics", story::TopicIndex::limit, out.topics.left_out()}};
  for (const auto& [table, limit] : event_limits_) out.limits.push_back(limit);
  return out;
}

}  // namespace kparse::groups
