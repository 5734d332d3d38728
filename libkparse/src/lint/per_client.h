// SPDX-License-Identifier: MIT
// A rule's state for each client, as far as a capture tells clients apart.
#pragma once

#include <cstddef>
#include <iterator>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lint/keys.h"
#include "lint/rule.h"

namespace kparse::lint {

/// Many clients may share an address and a client id, so what is counted together is one connection, and those that
/// come after one of its two sides has ended it: a client that connects anew for every try stays one. Override on_close
/// and close() it there.
template <class T>
class PerClient {
 public:
  /// `what`: as Room says, of those whose connection is closed.
  PerClient(Rule& r, std::string_view what) : room_(r, what) {}

  T& operator[](const Conn& c) {
    if (Entry* const e = open_.find(c)) [[likely]]
      return e->value;
    Entry& e = open_[c];
    e.where = place_of(c);
    Place& p = places_[e.where];
    if (!take_ended(p, e.value) && !p.left.empty()) {
      e.value = std::move(p.left.back());
      p.left.pop_back();
    }
    if (p.open.size() >= max_kept) p.open.erase(p.open.begin());
    p.open.push_back(&c);
    return e.value;
  }
  [[nodiscard]] T* find(const Conn& c) {
    Entry* const e = open_.find(c);
    return e ? &e->value : nullptr;
  }
  void close(const Conn& c) {
    Entry* const e = open_.find(c);
    if (!e) return;
    if (const auto at = places_.find(e->where); at != places_.end()) {
      std::erase(at->second.open, &c);
      if (at->second.open.empty() && at->second.left.empty()) places_.erase(at);
    }
    std::string where = place_of(c);  // its client id may have become known since
    if (room_.beside(places_.size())) {
      std::vector<T>& kept = places_[std::move(where)].left;
      if (kept.size() >= max_kept) kept.erase(kept.begin());
      kept.push_back(std::move(e->value));
    }
    open_.drop(c);
  }

 private:
  static constexpr std::size_t max_kept = 16;
  struct Entry {
    T value{};
    std::string where;
  };
  struct Place {
    std::vector<const Conn*> open;  ///< the newest of those that aren't closed
    std::vector<T> left;            ///< of those that are
  };
  static std::string place_of(const Conn& c) { return client_key(c) + '\0' + std::string(c.server()); }

  /// One that a side has ended may stay for long: the other side's end needn't come, or nothing that tells it was kept.
  bool take_ended(Place& p, T& into) {
    for (auto at = p.open.rbegin(); at != p.open.rend(); ++at) {
      const Conn& c = **at;
      if (c.end[0] == End::open && c.end[1] == End::open) continue;
      into = std::move(open_.find(c)->value);
      open_.drop(c);
      p.open.erase(std::next(at).base());
      return true;
    }
    return false;
  }

  Room room_;   ///< for those that are left
  PerConn<Entry> open_;
  std::unordered_map<std::string, Place> places_;
};

}  // namespace kparse::lint
