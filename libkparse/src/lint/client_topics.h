// SPDX-License-Identifier: MIT
// Numbers for clients and topics: rules that count over a whole capture keep their state in vectors by these.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "kparse/topic_ref.h"
#include "lint/room.h"
#include "lint/witness.h"

namespace kparse::lint {

/// What one place of the traffic is about. Numbers count from 0 and are dense; `none`: the table was full.
struct Spot {
  static constexpr std::uint32_t none = 0xffffffff;
  std::uint32_t topic = none;
  std::uint32_t pair = none;  ///< this client (host and client id) and this topic
};

/// Bounded: what there is no room for has no number. Never allocates for what it knows already; the same place as before
/// costs a few compares.
class ClientTopics {
 public:
  explicit ClientTopics(Desk& d) : room_for_topics_(d, "topics"), room_for_pairs_(d, "clients with a topic") {}

  struct Topic {
    std::string name;  ///< "" when only its id is known
    std::uint8_t id[16] = {};
    Witness first;  ///< who named it first here
    [[nodiscard]] TopicRef ref() const noexcept { return {.name = name, .id = name.empty() ? id : nullptr}; }
  };
  struct Pair {
    std::uint32_t topic = Spot::none;
    Witness first;
  };

  /// `frame`: the one at hand, which names the topic.
  Spot at(const Conn& c, const TopicRef& t, const Frame& frame) {
    // Within a frame the same bytes name the same topic.
    if (c.number == conn_ && frame.offset == offset_ && frame.from == side_ && t.name.data() == name_at_ &&
        t.name.size() == topic_name_.size() && t.id == id_at_)
      return newest_;
    const Spot s = at(c, t, frame.first);
    offset_ = frame.offset;
    side_ = frame.from;
    name_at_ = t.name.data();
    id_at_ = t.id;
    return s;
  }
  Spot at(const Conn& c, const TopicRef& t, const Stamp& now) {
    offset_ = nowhere;
    if (c.number == conn_ && same_topic(t) && c.client_id == client_id_) return newest_;
    conn_ = c.number;
    client_id_ = c.client_id;
    topic_name_ = t.name;
    topic_id_.assign(t.name.empty() && t.id ? std::string_view(reinterpret_cast<const char*>(t.id), 16) : "");
    return newest_ = look_up(c, t, now);
  }
  [[nodiscard]] const Topic& topic(std::uint32_t n) const noexcept { return topics_[n]; }
  [[nodiscard]] const Pair& pair(std::uint32_t n) const noexcept { return pairs_[n]; }

 private:
  [[nodiscard]] bool same_topic(const TopicRef& t) const noexcept {
    if (!t.name.empty()) return t.name == topic_name_;
    return topic_name_.empty() && t.id && std::string_view(reinterpret_cast<const char*>(t.id), 16) == topic_id_;
  }
  Spot look_up(const Conn& c, const TopicRef& t, const Stamp& now) {
    Spot s;
    key_.assign(1, t.name.empty() ? 'i' : 'n');
    key_ += t.name.empty() ? std::string_view(topic_id_) : t.name;
    if (const auto there = by_topic_.find(key_); there != by_topic_.end()) {
      s.topic = there->second;
    } else if (room_for_topics_.beside(topics_.size())) {
      s.topic = static_cast<std::uint32_t>(topics_.size());
      Topic& made = topics_.emplace_back();
      made.name = t.name;
      if (t.name.empty() && t.id) std::copy_n(t.id, 16, made.id);
      made.first = witness_of(c, now);
      by_topic_.emplace(key_, s.topic);
    } else {
      return s;
    }
    key_.assign(reinterpret_cast<const char*>(&s.topic), sizeof s.topic);
    key_ += c.client_host();
    key_ += '\0';
    key_ += c.client_id;
    if (const auto there = by_pair_.find(key_); there != by_pair_.end()) {
      s.pair = there->second;
    } else if (room_for_pairs_.beside(pairs_.size())) {
      s.pair = static_cast<std::uint32_t>(pairs_.size());
      pairs_.push_back({.topic = s.topic, .first = witness_of(c, now)});
      by_pair_.emplace(key_, s.pair);
    }
    return s;
  }

  std::deque<Topic> topics_;
  std::deque<Pair> pairs_;
  std::unordered_map<std::string, std::uint32_t> by_topic_, by_pair_;
  Room room_for_topics_, room_for_pairs_;
  std::uint64_t conn_ = ~std::uint64_t{0};
  static constexpr std::uint64_t nowhere = ~std::uint64_t{0};
  std::uint64_t offset_ = nowhere;
  Side side_ = Side::client;
  const char* name_at_ = nullptr;
  const std::uint8_t* id_at_ = nullptr;
  std::string client_id_, topic_name_, topic_id_, key_;
  Spot newest_;
};

/// A rule's state for each topic, or each pair.
template <class T>
class BySpot {
 public:
  /// nullptr: the number is Spot::none.
  T* get(std::uint32_t n) {
    if (n == Spot::none) return nullptr;
    if (n >= all_.size()) all_.resize(std::size_t{n} + 1);
    return &all_[n];
  }
  /// f(number, T&) for all that there are, touched or not.
  template <class F>
  void each(F f) {
    for (std::uint32_t n = 0; n < all_.size(); ++n) f(n, all_[n]);
  }

 private:
  std::deque<T> all_;
};

}  // namespace kparse::lint
