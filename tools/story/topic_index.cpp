// SPDX-License-Identifier: MIT
#include "story/topic_index.h"

#include <algorithm>
#include <cstring>

#include "kparse/same.h"

namespace kparse::story {

std::string uuid_text(const std::uint8_t* id) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  std::uint32_t bits = 0;
  int have = 0;
  for (int i = 0; i < 16; ++i) {
    bits = (bits << 8) | id[i];
    for (have += 8; have >= 6; have -= 6) out += digits[(bits >> (have - 6)) & 63];
  }
  out += digits[(bits << (6 - have)) & 63];
  return out;
}

namespace {

/// Tells most topics of a cluster apart, at next to no cost.
std::size_t place_of(const TopicRef& t, std::size_t places) noexcept {
  constexpr std::size_t word = sizeof(std::uint32_t);
  const char* const at = t.id ? reinterpret_cast<const char*>(t.id) : t.name.data();
  const std::size_t n = t.id ? 16 : t.name.size();
  std::uint32_t first = 0, last = 0;
  if (n > 0) std::memcpy(&first, at, std::min(n, word));
  if (n >= word) std::memcpy(&last, at + n - word, word);
  return (((std::uint64_t{first} << 32 | last) + n) * 0x9e3779b97f4a7c15u >> 32) % places;
}

bool same_topic(const TopicKept& kept, const TopicRef& t) noexcept {
  return t.id ? kept.has_id && same_id(kept.id.data(), t.id) : !kept.has_id && same_text(kept.name, t.name);
}

}  // namespace

TopicNumber TopicIndex::of(const TopicRef& t) {
  if (newest_ < topics_.size() && same_topic(topics_[newest_].kept, t)) return newest_;
  TopicNumber& recent = recent_[place_of(t, recent_.size())];
  if (recent != no_topic && same_topic(topics_[recent].kept, t)) return newest_ = recent;
  TopicKept k;
  if (t.id) {
    k.has_id = true;
    std::memcpy(k.id.data(), t.id, 16);
  } else {
    k.name = t.name;
  }
  auto it = numbers_.find(k);
  if (it == numbers_.end()) {
    if (topics_.size() >= limit || k.name.size() > 1024) {
      ++left_out_;
      return no_topic;
    }
    it = numbers_.emplace(k, static_cast<TopicNumber>(topics_.size())).first;
    topics_.push_back({.kept = std::move(k), .label = {}, .same = it->second});
  }
  recent = newest_ = it->second;
  return recent;
}

// A name may have had several ids, one after the other: those are several topics. What was called by name is taken for
// the newest of them.
void TopicIndex::resolve(const Cluster& cluster) {
  std::map<std::string, TopicNumber> newest;
  for (TopicNumber n = 0; n < topics_.size(); ++n) {
    Topic& t = topics_[n];
    t.label.name = t.kept.name;
    if (!t.kept.has_id) continue;
    t.label.id = uuid_text(t.kept.id.data());
    t.label.name = cluster.topic_name(t.kept.id.data());
    if (!t.label.name.empty()) newest[t.label.name] = n;
  }
  for (Topic& t : topics_) {
    if (t.kept.has_id) continue;
    const auto it = newest.find(t.label.name);
    if (it == newest.end()) continue;
    t.same = it->second;
    t.label.id = topics_[it->second].label.id;
  }
}

TopicNumber TopicIndex::same(TopicNumber n) const { return n < topics_.size() ? topics_[n].same : no_topic; }

const TopicLabel& TopicIndex::label(TopicNumber n) const {
  static const TopicLabel unknown{.name = "?", .id = {}};
  return n < topics_.size() ? topics_[n].label : unknown;
}

bool TopicIndex::before(const PartitionKey& a, const PartitionKey& b) const {
  if (a.topic == b.topic) return a.partition < b.partition;
  const std::string &x = label(a.topic).shown(), &y = label(b.topic).shown();
  if (x != y) return x < y;
  return a < b;
}

}  // namespace kparse::story
