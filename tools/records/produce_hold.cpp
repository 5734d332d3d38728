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
  by_conversation_[c.number].push_back(std::prev(entries_.end()));
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

/// Answers mostly come in the order of their requests.
ProduceHold::Waiting::iterator ProduceHold::place_of(Waiting& waiting, std::uint64_t serial) {
  if (!waiting.empty() && waiting.front()->serial == serial) return waiting.begin();
  const auto at = std::ranges::lower_bound(waiting, serial, {}, [](Entries::iterator e) { return e->serial; });
  return at != waiting.end() && (*at)->serial == serial ? at : waiting.end();
}

HeldProduce* ProduceHold::find(const ConversationInfo& c, std::uint64_t serial) {
  const auto of = by_conversation_.find(c.number);
  if (of == by_conversation_.end()) return nullptr;
  const auto at = place_of(of->second, serial);
  return at == of->second.end() ? nullptr : &**at;
}

void ProduceHold::release(HeldProduce& h) {
  Waiting& waiting = by_conversation_[h.conversation->number];
  const auto at = place_of(waiting, h.serial);
  if (at == waiting.end()) return;
  const Entries::iterator entry = *at;
  waiting.erase(at);
  held_ -= h.weight;
  // One large request doesn't make all later ones large.
  if (h.bytes.capacity() <= 1u << 20 && spare_.size() < 64) {
    spare_.splice(spare_.end(), entries_, entry);
  } else {
    entries_.erase(entry);
  }
}

HeldProduce* ProduceHold::surplus() { return held_ > limit_ && !entries_.empty() ? &entries_.front() : nullptr; }

HeldProduce* ProduceHold::oldest_of(const ConversationInfo& c) {
  const auto of = by_conversation_.find(c.number);
  return of == by_conversation_.end() || of->second.empty() ? nullptr : &*of->second.front();
}

}  // namespace kparse::cli
