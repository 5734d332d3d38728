// SPDX-License-Identifier: MIT
// A rule's state for each client, as far as a capture tells clients apart.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lint/keys.h"
#include "lint/rule.h"

namespace kparse::lint {

/// Many clients may share an address and a client id, so what is counted together is one connection, and those that
/// come after it has closed: a client that connects anew for every try stays one. Override on_close and close() it
/// there.
template <class T>
class PerClient {
 public:
  /// `what`: as Room says, of those whose connection is closed.
  PerClient(Rule& r, std::string_view what) : room_(r, what) {}

  T& operator[](const Conn& c) {
    const auto [at, made] = table_.try_emplace(c.number);
    if (!made) return at->second;
    if (const auto left = left_.find(place_of(c)); left != left_.end()) {
      at->second = std::move(left->second.back());
      left->second.pop_back();
      if (left->second.empty()) left_.erase(left);
    }
    return at->second;
  }
  [[nodiscard]] T* find(const Conn& c) {
    const auto at = table_.find(c.number);
    return at == table_.end() ? nullptr : &at->second;
  }
  void close(const Conn& c) {
    const auto at = table_.find(c.number);
    if (at == table_.end()) return;
    if (room_.beside(left_.size())) {
      std::vector<T>& kept = left_[place_of(c)];
      if (kept.size() >= max_kept) kept.erase(kept.begin());
      kept.push_back(std::move(at->second));
    }
    table_.erase(at);
  }

 private:
  static constexpr std::size_t max_kept = 16;
  static std::string place_of(const Conn& c) { return client_key(c) + '\0' + std::string(c.server()); }

  Room room_;   ///< for those that are left
  std::unordered_map<std::uint64_t, T> table_;
  std::unordered_map<std::string, std::vector<T>> left_;
};

}  // namespace kparse::lint
