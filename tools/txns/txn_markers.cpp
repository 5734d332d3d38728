// SPDX-License-Identifier: MIT
// TxnObserver: what consumers' fetches tell of transactions, and the end.
#include <algorithm>
#include <tuple>

#include "txns/txn_observer.h"

namespace kparse::txns {

// A marker belongs to the newest transaction that began before it in that partition and has none yet.
void TxnObserver::marker(std::int64_t id, std::int16_t epoch, std::int16_t type, const PartitionKey& key,
                         std::int64_t offset, std::int64_t written_ns) {
  if (offset >= 0) {
    if (markers_.size() >= whole_.markers) {
      ++out_.markers;
      return;
    }
    if (!markers_.emplace(std::tuple{id, key, offset}, true).second) return;
  }
  Producer* p = known(id);
  if (p) {
    std::size_t patience = 10'000;
    for (std::size_t i = p->transactions.size(); i > 0 && patience > 0; --i, --patience) {
      Txn& t = p->transactions[i - 1];
      const auto part = t.partitions.find(key);
      if (part == t.partitions.end() || (offset >= 0 && part->second.marker >= 0 && part->second.marker_offset >= 0))
        continue;
      if (offset >= 0 && part->second.first_offset > offset) continue;
      if (offset >= 0 && part->second.last_offset < 0 && part->second.records > 0)
        continue;  // its offsets aren't known
      part->second.marker = type;
      part->second.marker_offset = std::max(part->second.marker_offset, offset);
      if (t.outcome == Outcome::open || t.outcome == Outcome::fenced || t.outcome == Outcome::unknown) {
        const Stamp end_first = t.end_first, end = t.end;
        const bool known_end = t.end_known;
        close(*p, t, type == 1 ? Outcome::committed : Outcome::aborted);
        t.by_marker = true;
        t.told = scene_->at.time_ns;
        if (known_end) {  // when it was fenced is nearer than when the marker was written
          t.end_first = end_first;
          t.end = end;
        } else if (written_ns >= t.begin.time_ns && written_ns <= scene_->at.time_ns) {
          t.end.time_ns = written_ns;
        } else {
          t.end_known = false;  // consumers may read a marker long after
        }
      }
      return;
    }
  }
  if (offset < 0) return;
  if (!p) p = producer({}, id);
  if (!p || !take(budget_.markers, out_.markers)) return;
  p->transactional = true;
  p->epochs.insert(epoch);
  p->markers.push_back({.partition = key, .offset = offset, .type = type, .epoch = epoch, .first = scene_->first});
}

void TxnObserver::partition_fetched(const PartitionFetched& f) {
  if (f.error != 0 || f.last_stable_offset < 0 || f.high_watermark < 0) return;
  const bool behind = f.last_stable_offset < f.high_watermark;
  const PartitionKey key{scene_->topics.of_frame(f.topic), f.partition};
  const auto it = holding_.find(key);
  if (it != holding_.end()) {
    if (behind && it->second.offset == f.last_stable_offset) {
      it->second.until = scene_->at;
      it->second.most = std::max(it->second.most, f.high_watermark - f.last_stable_offset);
      return;
    }
    if (f.last_stable_offset < it->second.offset) return;  // an older answer over another connection
    it->second.until = scene_->at;
    if (held_.size() < max_held) {
      held_.push_back(it->second);
    } else {
      ++out_.held;
    }
    holding_.erase(it);
  }
  if (!behind) return;
  if (holding_.size() >= max_held) {
    ++out_.held;
    return;
  }
  holding_[key] = {.partition = key,
                   .offset = f.last_stable_offset,
                   .since_first = scene_->first,
                   .since = scene_->at,
                   .until = scene_->at,
                   .most = f.high_watermark - f.last_stable_offset};
}

Holder holder_of(const Held& h, const TxnsSeen& seen) {
  const auto it = seen.first_offsets.find({seen.topics.same(h.partition), h.offset});
  return it == seen.first_offsets.end() ? Holder{} : it->second;
}

TxnsSeen TxnObserver::finish(const Cluster& cluster) {
  TxnsSeen out;
  for (auto& [key, h] : holding_) {
    h.at_end = true;
    held_.push_back(h);
  }
  std::stable_sort(held_.begin(), held_.end(),
                   [](const Held& a, const Held& b) { return story::earlier(a.since, b.since); });
  out.held = std::move(held_);
  for (Producer& p : producers_) doubt(p);
  out.topics = scene_.resolved_topics(cluster);
  out.producers.assign(std::make_move_iterator(producers_.begin()), std::make_move_iterator(producers_.end()));
  std::stable_sort(out.producers.begin(), out.producers.end(), [](const Producer& a, const Producer& b) {
    if (a.transactional != b.transactional) return a.transactional;
    return std::tie(a.transactional_id, a.id) < std::tie(b.transactional_id, b.id);
  });
  for (std::size_t p = 0; p < out.producers.size(); ++p)
    for (std::size_t t = 0; t < out.producers[p].transactions.size(); ++t)
      for (const auto& [key, part] : out.producers[p].transactions[t].partitions)
        if (part.first_offset >= 0)
          out.first_offsets.try_emplace({out.topics.same(key), part.first_offset},
                                        Holder{static_cast<std::ptrdiff_t>(p), static_cast<std::ptrdiff_t>(t)});
  out.last = last_;
  out.limits = {{"producers", whole_.producers, out_.producers},
                {"transactions", whole_.transactions, out_.transactions},
                {"partitions and offsets of transactions", whole_.rows, out_.rows},
                {"errors of producers", whole_.faults, out_.faults},
                {"markers", whole_.markers, out_.markers},
                {"batches that wait for their answer", max_sent, out_.sent},
                {"held back partitions", max_held, out_.held},
                {"topics", story::TopicIndex::limit, out.topics.left_out()}};
  for (const auto& [table, limit] : event_limits_) out.limits.push_back(limit);
  return out;
}

}  // namespace kparse::txns
