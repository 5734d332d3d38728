// SPDX-License-Identifier: MIT
#include "details/detail_observer.h"

#include <algorithm>

#include "kparse/same.h"

namespace kparse::details {

void DetailObserver::begin_request(const ConversationInfo& c, const Request& r) {
  scene_.request(c, r);
  client_known_ = false;
  api_ = r.api_key;
}

std::uint32_t DetailObserver::client() {
  if (client_known_) return client_;
  client_known_ = true;
  const std::string_view id = scene_->client_id();
  if (!names_.empty() && same_text(names_[client_], id)) return client_;
  auto it = numbers_.find(id);
  if (it == numbers_.end()) {
    if (names_.size() >= max_rows) {  // all the others are one
      ++left_out_;
      return client_ = static_cast<std::uint32_t>(max_rows - 1);
    }
    it = numbers_.emplace(std::string(id), static_cast<std::uint32_t>(names_.size())).first;
    names_.emplace_back(id);
    sessions_.emplace_back();
  }
  return client_ = it->second;
}

void DetailObserver::begin_response(const ConversationInfo& c, const Response& r) {
  scene_.response(c, r);
  client_known_ = false;
  api_ = r.api_key;
  asked_whole_ = r.matched && r.request_whole;
  asked_at_ = r.request_completed;
  consumer_ = true;
  got_.clear();
}

void DetailObserver::on_throttle(std::int32_t ms) {
  const std::pair key{api_, std::string(scene_->client_id())};
  if (seen_.throttled.size() >= max_rows && !seen_.throttled.contains(key)) {
    ++left_out_;
    return;
  }
  Throttled& t = seen_.throttled[key];
  ++t.answers;
  t.sum_ms += ms;
  t.most_ms = std::max<std::int64_t>(t.most_ms, ms);
}

void DetailObserver::on_leader(const LeaderTold& l) {
  if (l.leader < 0 && l.error == 0) return;
  const PartitionKey key{scene_->topics.of_frame(l.topic), l.partition};
  const auto it = seen_.leaders.find(key);
  if (it == seen_.leaders.end()) {
    if (seen_.leaders.size() >= max_rows) {
      ++left_out_;
      return;
    }
    seen_.leaders[key] = {.leader = l.leader, .epoch = l.leader_epoch, .changes = 0, .errors = l.error != 0 ? 1u : 0u};
    return;
  }
  Leadership& mine = it->second;
  if (l.error != 0) ++mine.errors;
  if (l.leader < 0 || (l.leader_epoch >= 0 && l.leader_epoch < mine.epoch)) return;
  if (mine.leader != l.leader && mine.leader >= 0) ++mine.changes;
  mine.leader = l.leader;
  mine.epoch = std::max(mine.epoch, l.leader_epoch);
}

void DetailObserver::on_fetch_asked(const FetchAsked& f) {
  Sessions& s = sessions_[client()];
  switch (f.kind) {
    case FetchAsked::Kind::sessionless:
    case FetchAsked::Kind::closing:
      ++s.sessionless;
      break;
    case FetchAsked::Kind::full:
      ++s.full;
      break;
    case FetchAsked::Kind::incremental:
      ++s.incremental;
      break;
  }
}

void DetailObserver::on_fetch_answered(const FetchAnswered& f) {
  consumer_ = f.replica_id < 0;
  isolation_ = f.isolation;
  Sessions& s = sessions_[client()];
  switch (f.session) {
    case FetchAnswered::Session::opened:
      ++s.opened;
      break;
    case FetchAnswered::Session::refused:
      ++s.refused;
      break;
    case FetchAnswered::Session::lost:
      ++s.lost;
      break;
    case FetchAnswered::Session::broken:
      ++s.broken;
      break;
    case FetchAnswered::Session::closed:
      ++s.closed;
      break;
    default:
      break;
  }
}

void DetailObserver::on_partition_fetched(const PartitionFetched& p) {
  if (!consumer_ || p.error != 0 || p.asked_offset < 0) return;
  const std::int64_t end = isolation_ == 1 && p.last_stable_offset >= 0 ? p.last_stable_offset : p.high_watermark;
  const PartitionKey key{scene_->topics.of_frame(p.topic), p.partition};
  Reading* mine = reading(key);
  if (!mine) return;
  Stuck& s = mine->waits;
  if (end <= p.asked_offset) {
    s.offset = -1;
    return;
  }
  if (s.offset != p.asked_offset)
    s = {.offset = p.asked_offset, .behind = 0, .answers = 0, .since = scene_->at, .until = scene_->at};
  ++s.answers;
  s.until = scene_->at;
  s.behind = end - p.asked_offset;
  // Three times the same, for more than a second, is no retry.
  constexpr std::int64_t second = 1'000'000'000;
  if (s.answers < 3 || s.until.time_ns - s.since.time_ns < second) return;
  Stuck& worst = seen_.stuck[{names_[client()], key}];
  if (s.until.time_ns - s.since.time_ns >= worst.until.time_ns - worst.since.time_ns) worst = s;
}

// A batch keeps its first offset from producer to consumer, so headers are enough.
void DetailObserver::fetched(const BatchSeen& b) {
  if (b.batch.control || b.batch.magic != 2 || b.batch.count <= 0 || !scene_->whole) return;
  got_.push_back({{scene_->topics.of_frame(b.topic), b.partition}, b.batch.base_offset,
                  static_cast<std::uint32_t>(b.batch.count)});
}

void DetailObserver::on_produce_answered(const ProduceAnswered& a) {
  if (a.error != 0 || a.base_offset < 0 || !asked_whole_) return;
  produced_.put({scene_->topics.of_frame(a.topic), a.partition}, a.base_offset, asked_at_.time_ns);
}

DetailObserver::Reading* DetailObserver::reading(const PartitionKey& partition) {
  const ReadingKey key{client(), partition};
  if (Reading* known = readings_.find(key)) return known;
  if (readings_.size() >= max_rows) {
    ++left_out_;
    return nullptr;
  }
  return &readings_.add(key);
}

void DetailObserver::end_response(const ConversationInfo&, const Response&, const Error&) {
  if (!consumer_) got_.clear();
  for (const Got& g : got_) {
    const std::int64_t* at = produced_.find(g.partition, g.offset);
    if (!at) continue;
    // Once for each client: who reads again doesn't wait for it.
    Reading* mine = reading(g.partition);
    if (!mine || g.offset <= mine->up_to) continue;
    mine->up_to = g.offset;
    if (!mine->delays && !mine->no_room) {
      const std::pair key{PartitionKey{g.partition.topic, -1}, names_[client()]};
      mine->no_room = seen_.delays.size() >= max_delays && !seen_.delays.contains(key);
      if (!mine->no_room) mine->delays = &seen_.delays[key];
    }
    if (mine->delays) {
      mine->delays->add(scene_->at.time_ns - *at, g.records);
    } else {
      ++left_out_;
    }
  }
  got_.clear();
}

void DetailObserver::on_close(const ConversationInfo& c, Stamp) {
  scene_.close(c);
}

DetailsSeen DetailObserver::finish(const Cluster& cluster) {
  seen_.topics = scene_.resolved_topics(cluster);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const Sessions& one = sessions_[i];
    if (one.full + one.incremental + one.sessionless > 0) seen_.sessions[names_[i]] = one;
  }
  // Metadata names what Fetch calls by id: one row for both.
  std::map<PartitionKey, Leadership> leaders;
  for (const auto& [key, l] : seen_.leaders) {
    Leadership& mine = leaders[seen_.topics.same(key)];
    mine.changes += l.changes;
    mine.errors += l.errors;
    if (mine.leader < 0 || l.epoch > mine.epoch) {
      mine.leader = l.leader;
      mine.epoch = l.epoch;
    }
  }
  seen_.leaders = std::move(leaders);
  seen_.limits = {{"rows of details", max_rows, left_out_},
                  {"batches that wait for a reader", max_batches, produced_.left_out()}};
  return std::move(seen_);
}

}  // namespace kparse::details
