// SPDX-License-Identifier: MIT
#include "records/produce_hold.h"

#include <algorithm>

namespace kparse::cli {

void TopicKey::assign(const TopicRef& t) {
  has_id = t.id != nullptr;
  // With an id the name is what happens to be known by now; it is looked up again when it is printed.
  if (has_id) {
    std::copy_n(t.id, id.size(), id.begin());
    name.clear();
  } else {
    name = t.name;
  }
}

HeldProduce& ProduceHold::add(const ConversationInfo& c, const Request& r) {
  if (spare_.empty()) {
    entries_.emplace_back();
  } else {
    entries_.splice(entries_.end(), spare_, spare_.begin());
  }
  HeldProduce& h = entries_.back();
  h.conversation = &c;
  h.serial = r.serial;
  h.first = r.frame.first;
  h.completed = r.frame.completed;
  h.client_id = r.client_id;
  h.client_id_null = r.client_id_null;
  h.parts.clear();
  h.bytes.clear();
  by_request_[key_of(h)] = std::prev(entries_.end());
  h.weight = sizeof h + h.client_id.size();
  held_ += h.weight;
  return h;
}

void ProduceHold::add_part(const TopicRef& topic, std::int32_t partition, Bytes records) {
  HeldProduce& h = entries_.back();
  HeldProduce::Part& p = h.parts.emplace_back();
  p.topic.assign(topic);
  p.partition = partition;
  p.at = h.bytes.size();
  p.size = records.size();
  h.bytes.insert(h.bytes.end(), records.begin(), records.end());
  const std::uint64_t more = sizeof p + p.topic.name.size() + records.size();
  h.weight += more;
  held_ += more;
}

HeldProduce* ProduceHold::find(const ConversationInfo& c, std::uint64_t serial) {
  const auto it = by_request_.find({c.number, serial});
  return it == by_request_.end() ? nullptr : &*it->second;
}

void ProduceHold::release(HeldProduce& h) {
  const auto it = by_request_.find(key_of(h));
  if (it == by_request_.end()) return;
  held_ -= h.weight;
  // One large request doesn't make all later ones large.
  if (h.bytes.capacity() <= 1u << 20 && spare_.size() < 64) {
    spare_.splice(spare_.end(), entries_, it->second);
  } else {
    entries_.erase(it->second);
  }
  by_request_.erase(it);
}

HeldProduce* ProduceHold::surplus() { return held_ > limit_ && !entries_.empty() ? &entries_.front() : nullptr; }

HeldProduce* ProduceHold::oldest_of(const ConversationInfo& c) {
  const auto it = by_request_.lower_bound({c.number, 0});
  return it == by_request_.end() || it->first.first != c.number ? nullptr : &*it->second;
}

}  // namespace kparse::cli
