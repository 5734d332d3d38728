// SPDX-License-Identifier: MIT
#include "details/detail_observer.h"

#include <algorithm>

namespace kparse::details {

void DetailObserver::begin_request(const ConversationInfo& c, const Request& r) {
  conversation_ = &c;
  people_.request(c, r);
  client_ = story::clipped(r.client_id, 128);
  api_ = r.api_key;
  serial_ = r.serial;
  at_ = story::time_of(r.frame);
  whole_ = r.frame.whole();
}

void DetailObserver::begin_response(const ConversationInfo& c, const Response& r) {
  conversation_ = &c;
  if (r.api_key == 1 || r.api_key == 0) client_ = people_.of(c).client_id;
  api_ = r.api_key;
  serial_ = r.serial;
  at_ = story::time_of(r.frame);
  whole_ = r.frame.whole();
  consumer_ = true;
  got_.clear();
}

void DetailObserver::on_throttle(std::int32_t ms) {
  const std::pair key{api_, people_.of(*conversation_).client_id};
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
  const PartitionKey key{seen_.topics.of(l.topic), l.partition};
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
  if (seen_.sessions.size() >= max_rows && !seen_.sessions.contains(client())) {
    ++left_out_;
    return;
  }
  Sessions& s = seen_.sessions[client()];
  switch (f.kind) {
    case FetchAsked::Kind::sessionless:
    case FetchAsked::Kind::closing: ++s.sessionless; break;
    case FetchAsked::Kind::full: ++s.full; break;
    case FetchAsked::Kind::incremental: ++s.incremental; break;
  }
}

void DetailObserver::on_fetch_answered(const FetchAnswered& f) {
  consumer_ = f.replica_id < 0;
  isolation_ = f.isolation;
  const auto it = seen_.sessions.find(client());
  if (it == seen_.sessions.end()) return;
  switch (f.session) {
    case FetchAnswered::Session::opened: ++it->second.opened; break;
    case FetchAnswered::Session::refused: ++it->second.refused; break;
    case FetchAnswered::Session::lost: ++it->second.lost; break;
    case FetchAnswered::Session::broken: ++it->second.broken; break;
    case FetchAnswered::Session::closed: ++it->second.closed; break;
    default: break;
  }
}

void DetailObserver::on_partition_fetched(const PartitionFetched& p) {
  if (!consumer_ || p.error != 0 || p.asked_offset < 0) return;
  const std::int64_t end = isolation_ == 1 && p.last_stable_offset >= 0 ? p.last_stable_offset : p.high_watermark;
  const std::pair key{client(), PartitionKey{seen_.topics.of(p.topic), p.partition}};
  auto it = waits_.find(key);
  if (it == waits_.end()) {
    if (waits_.size() >= max_rows) {
      ++left_out_;
      return;
    }
    it = waits_.emplace(key, Stuck{}).first;
  }
  Stuck& s = it->second;
  if (s.offset != p.asked_offset || end <= p.asked_offset) {
    s = {.offset = p.asked_offset, .behind = 0, .answers = 0, .since = at_, .until = at_};
    if (end <= p.asked_offset) return;
  }
  ++s.answers;
  s.until = at_;
  s.behind = end - p.asked_offset;
  // Three times the same, for more than a second, is no retry.
  constexpr std::int64_t second = 1'000'000'000;
  if (s.answers < 3 || s.until.time_ns - s.since.time_ns < second) return;
  Stuck& worst = seen_.stuck[key];
  if (s.until.time_ns - s.since.time_ns >= worst.until.time_ns - worst.since.time_ns) worst = s;
}

void DetailObserver::forget_oldest() {
  while (produced_.size() >= max_batches) {
    produced_.erase(produced_.begin());
    ++batches_out_;
  }
}

// A batch keeps its first offset from producer to consumer, so headers are enough.
void DetailObserver::on_batch(const BatchSeen& b) {
  if (b.batch.control || !whole_) return;
  const PartitionKey key{seen_.topics.of(b.topic), b.partition};
  if (b.via == Via::produce) {
    if (b.records_before == 0 && waiting_.size() < max_rows)
      waiting_[{conversation_->number, serial_}].push_back({key, at_.time_ns});
  } else if (b.via == Via::fetch && b.batch.magic == 2 && b.batch.count > 0) {
    got_.push_back({key, b.batch.base_offset, static_cast<std::uint32_t>(b.batch.count)});
  }
}

void DetailObserver::on_produce_answered(const ProduceAnswered& a) {
  const auto it = waiting_.find({conversation_->number, a.request_serial});
  if (it == waiting_.end() || a.error != 0 || a.base_offset < 0) return;
  const PartitionKey key{seen_.topics.of(a.topic), a.partition};
  for (const Sent& s : it->second) {
    if (s.partition != key) continue;
    forget_oldest();
    produced_.try_emplace({key, a.base_offset}, s.at);
  }
}

void DetailObserver::end_response(const ConversationInfo& c, const Response& r, const Error&) {
  if (r.api_key == 0) waiting_.erase({c.number, r.serial});
  if (!consumer_) got_.clear();
  for (const Got& g : got_) {
    const auto it = produced_.find({g.partition, g.offset});
    if (it == produced_.end()) continue;
    // Once for each client: who reads again doesn't wait for it.
    std::int64_t& had = read_up_to_.try_emplace({client(), g.partition}, -1).first->second;
    if (g.offset <= had) continue;
    had = g.offset;
    const std::pair key{PartitionKey{g.partition.topic, -1}, client()};
    if (seen_.delays.size() >= 1000 && !seen_.delays.contains(key)) {
      ++left_out_;
      continue;
    }
    report::Histogram& h = seen_.delays[key];
    for (std::uint32_t i = 0; i < g.records && i < 1'000'000; ++i) h.add(at_.time_ns - it->second);
  }
  got_.clear();
}

void DetailObserver::on_unanswered(const ConversationInfo& c, std::uint64_t serial) { waiting_.erase({c.number, serial}); }

void DetailObserver::on_close(const ConversationInfo& c, Stamp) {
  people_.close(c);
  conversation_ = nullptr;
  waiting_.erase(waiting_.lower_bound({c.number, 0}), waiting_.upper_bound({c.number, ~std::uint64_t{0}}));
}

DetailsSeen DetailObserver::finish(const Cluster& cluster) {
  seen_.topics.resolve(cluster);
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
  seen_.limits = {{"rows of details", max_rows, left_out_}, {"batches that wait for a reader", max_batches, batches_out_}};
  return std::move(seen_);
}

}  // namespace kparse::details
