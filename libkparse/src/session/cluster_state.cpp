// SPDX-License-Identifier: MIT
#include "session/cluster_state.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "kparse/same.h"

namespace kparse {

TopicKept kept(const TopicRef& t) {
  TopicKept k;
  if (t.id) {
    k.has_id = true;
    std::memcpy(k.id.data(), t.id, k.id.size());
  } else {
    k.name = t.name;
  }
  return k;
}

bool TopicOrder::less(const TopicRef& a, const TopicRef& b) noexcept {
  if (!a.id || !b.id) return a.id || b.id ? !a.id : a.name < b.name;
  return std::memcmp(a.id, b.id, 16) < 0;
}

const Cluster::Leader* Leaders::find(const TopicRef& topic, std::int32_t partition) const noexcept {
  const auto t = topics_.find(topic);
  if (t == topics_.end()) return nullptr;
  const auto p = t->second.find(partition);
  return p == t->second.end() ? nullptr : &p->second;
}

bool Leaders::learn(const TopicRef& topic, std::int32_t partition, const Cluster::Leader& told, std::size_t most) {
  const bool again = last_ != topics_.end() && (topic.id ? last_->first.has_id && same_id(last_->first.id.data(), topic.id)
                                                         : !last_->first.has_id && same_text(last_->first.name, topic.name));
  if (!again) last_ = topics_.find(topic);
  if (last_ != topics_.end()) {
    if (const auto p = last_->second.find(partition); p != last_->second.end()) {
      if (told.epoch < 0 || told.epoch >= p->second.epoch) p->second = told;
      return true;
    }
  }
  if (size_ >= most) return false;
  if (last_ == topics_.end()) last_ = topics_.emplace(kept(topic), OfTopic{}).first;
  last_->second.emplace(partition, told);
  ++size_;
  return true;
}

void FetchSession::put(const FetchTarget& t) {
  auto it = targets_.find(t.topic);
  if (it == targets_.end()) it = targets_.emplace(kept(t.topic), std::map<std::int32_t, Place>{}).first;
  size_ += it->second.insert_or_assign(t.partition, Place{t.offset, t.leader_epoch}).second;
}

void FetchSession::forget(const TopicRef& t, std::int32_t partition) {
  const auto it = targets_.find(t);
  if (it == targets_.end()) return;
  size_ -= it->second.erase(partition);
  if (it->second.empty()) targets_.erase(it);
}

std::int64_t FetchSession::offset(const TopicRef& t, std::int32_t partition) const {
  const auto topic = targets_.find(t);
  if (topic == targets_.end()) return -1;
  const auto it = topic->second.find(partition);
  return it == topic->second.end() ? -1 : it->second.offset;
}

void FetchSessions::drop(std::map<std::string, OfServer, std::less<>>::iterator server, OfServer::iterator entry) {
  partitions_ -= entry->second.session.size();
  --count_;
  server->second.erase(entry);
  if (server->second.empty()) servers_.erase(server);
}

void FetchSessions::drop_oldest() {
  auto oldest_server = servers_.end();
  OfServer::iterator oldest;
  for (auto s = servers_.begin(); s != servers_.end(); ++s)
    for (auto e = s->second.begin(); e != s->second.end(); ++e)
      if (oldest_server == servers_.end() || e->second.used < oldest->second.used) {
        oldest_server = s;
        oldest = e;
      }
  if (oldest_server == servers_.end()) return;
  drop(oldest_server, oldest);
  ++left_out_;
}

const FetchSession* FetchSessions::follow(std::string_view server, const FetchAsked& asked) {
  const auto s = servers_.find(server);
  if (s == servers_.end()) return nullptr;
  const auto e = s->second.find(asked.session_id);
  if (e == s->second.end()) return nullptr;
  Entry& entry = e->second;
  if (entry.next_epoch != asked.session_epoch) {
    drop(s, e);
    return nullptr;
  }
  entry.next_epoch = asked.session_epoch == std::numeric_limits<std::int32_t>::max() ? 1 : asked.session_epoch + 1;
  entry.used = ++uses_;
  partitions_ -= entry.session.size();
  for (const FetchTarget& t : asked.named) entry.session.put(t);
  for (const PartitionRef& p : asked.forgotten) entry.session.forget(p.topic, p.partition);
  partitions_ += entry.session.size();
  if (partitions_ > max_partitions) {
    ++left_out_;
    drop(s, e);
    return nullptr;
  }
  return &entry.session;
}

void FetchSessions::open(std::string_view server, std::int32_t id, std::span<const FetchTarget> targets) {
  close(server, id);
  if (targets.size() > max_partitions) {
    ++left_out_;
    return;
  }
  while (count_ >= max_sessions || (count_ > 0 && partitions_ + targets.size() > max_partitions)) drop_oldest();
  auto s = servers_.find(server);
  if (s == servers_.end()) s = servers_.emplace(std::string(server), OfServer{}).first;
  Entry& entry = s->second[id];
  ++count_;
  entry.used = ++uses_;
  for (const FetchTarget& t : targets) entry.session.put(t);
  partitions_ += entry.session.size();
}

void FetchSessions::close(std::string_view server, std::int32_t id) {
  const auto s = servers_.find(server);
  if (s == servers_.end()) return;
  const auto e = s->second.find(id);
  if (e != s->second.end()) drop(s, e);
}

const FetchSession* FetchSessions::find(std::string_view server, std::int32_t id) const {
  const auto s = servers_.find(server);
  if (s == servers_.end()) return nullptr;
  const auto e = s->second.find(id);
  return e == s->second.end() ? nullptr : &e->second.session;
}

// Source: ProducerStateEntry and ProducerAppendInfo of Kafka: sequences wrap from the largest int32 to 0.
Sequence Producers::follow(const TopicRef& topic, std::int32_t partition, const Batch& b) {
  if (b.producer_id < 0 || b.base_sequence < 0 || b.control) return Sequence::none;
  const std::pair key{b.producer_id, partition};
  auto topics = entries_.find(key);
  OfTopics::iterator it;
  if (topics != entries_.end()) it = topics->second.find(topic);
  const bool fresh = topics == entries_.end() || it == topics->second.end();
  if (fresh) {
    if (size_ >= limit) {
      ++left_out_;
      return Sequence::first;
    }
    if (topics == entries_.end()) topics = entries_.try_emplace(key).first;
    it = topics->second.emplace(kept(topic), Entry{}).first;
    ++size_;
  }
  Entry& e = it->second;
  const auto after = [&] {
    constexpr std::int64_t range = std::int64_t{1} << 31;
    return static_cast<std::int32_t>((std::int64_t{b.base_sequence} + std::max(b.last_offset_delta, 0) + 1) % range);
  };
  Sequence verdict = Sequence::next;
  if (fresh) {
    verdict = Sequence::first;
  } else if (b.producer_epoch < e.epoch) {
    return Sequence::old_epoch;
  } else if (b.producer_epoch > e.epoch) {
    verdict = Sequence::new_epoch;
    e.count = 0;
    e.newest = -1;
  } else if (b.base_sequence != e.next) {
    const bool known = std::find(e.bases, e.bases + e.count, b.base_sequence) != e.bases + e.count;
    const std::uint32_t ahead =
        (static_cast<std::uint32_t>(b.base_sequence) - static_cast<std::uint32_t>(e.next)) & 0x7fffffffu;
    if (known || ahead >= 0x40000000u) return Sequence::repeated;
    verdict = Sequence::gap;
  }
  e.epoch = b.producer_epoch;
  e.next = after();
  e.newest = (e.newest + 1) % remembered;
  e.bases[e.newest] = b.base_sequence;
  e.count = std::min(e.count + 1, remembered);
  return verdict;
}

}  // namespace kparse
