// SPDX-License-Identifier: MIT
// A hash map for keys that mostly come in the same order again and again, as the partitions of a fetch do.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace kparse::story {

/// Looks first where the key stood that came after the last one: then a lookup costs two comparisons, no hash.
/// Values stay where they are until they are erased.
template <class Key, class Value>
class FollowingMap {
 public:
  /// nullptr: it isn't there.
  [[nodiscard]] Value* find(const Key& key) {
    if (last_) {
      if (last_->key == key) return &last_->value;
      if (last_->next && last_->next->key == key) {
        last_ = last_->next;
        return &last_->value;
      }
    }
    return look_up(key);
  }
  /// Of a key that isn't there yet.
  Value& add(const Key& key) {
    return *meet(nodes_.emplace(key, std::make_unique<Node>(key)).first->second.get());
  }
  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }

  /// `f(key, value)` for each.
  template <class F>
  void each(F f) {
    for (auto& [key, node] : nodes_) f(key, node->value);
  }
  template <class F>
  void erase_if(F f) {
    last_ = nullptr;
    for (auto& [key, node] : nodes_) node->next = nullptr;
    absl::erase_if(nodes_, [&](const auto& n) { return f(n.first, n.second->value); });
  }

 private:
  struct Node {
    explicit Node(const Key& k) : key(k) {}
    Key key;
    Value value{};
    Node* next = nullptr;
  };
  [[gnu::noinline]] Value* look_up(const Key& key) {
    const auto it = nodes_.find(key);
    return it == nodes_.end() ? nullptr : meet(it->second.get());
  }
  Value* meet(Node* n) noexcept {
    if (last_) last_->next = n;
    last_ = n;
    return &n->value;
  }

  absl::flat_hash_map<Key, std::unique_ptr<Node>> nodes_;
  Node* last_ = nullptr;
};

}  // namespace kparse::story
