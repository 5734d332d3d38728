// SPDX-License-Identifier: MIT
// A table of named rows that cannot grow without end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"

namespace kparse::report {

/// The same for all runs and machines (unlike absl::Hash): decides which rows stay.
[[nodiscard]] std::uint64_t stable_hash(std::string_view) noexcept;

/// What a table didn't take.
struct FullTable {
  enum class Why : std::uint8_t {
    rows,      ///< it was full: `limit` rows
    long_key,  ///< names of more than `limit` bytes
  };
  std::string name;
  std::uint64_t limit = 0;
  std::uint64_t left_out = 0;
  Why why = Why::rows;
};

/// Rows by key, at most `limit`. When there are more keys, those with the smallest stable_hash stay. So the choice depends
/// on nothing but the keys: tables of several threads, merged, keep the same rows as one table would, and each row that
/// stays has been counted from its first event on.
/// Row: default constructible, merge(Row&&), weight() (how many events it stands for).
template <class Row>
class BoundedTable {
 public:
  /// Longer keys are left out: a key comes from the wire, and the limit is one of memory too.
  static constexpr std::size_t max_key = 4096;

  struct Slot {
    std::string key;
    std::uint64_t rank = 0;
    std::uint64_t uid = 0;   ///< changes when the slot is given to another key; for those who keep pointers
    Row row;
  };

  BoundedTable(std::string_view name, std::size_t limit) : name_(name), limit_(limit) {}

  /// nullptr: the key is left out; `weight` events go with it. The pointer stays; its uid tells whether it still holds
  /// the same key.
  Slot* find_or_add(std::string_view key, std::uint64_t weight = 1) {
    const auto found = by_key_.find(key);
    if (found != by_key_.end()) return found->second;
    if (key.size() > max_key) {
      too_long_ += weight;
      return nullptr;
    }
    Slot* slot = add(key);
    if (!slot) left_out_ += weight;
    return slot;
  }

  void merge(BoundedTable&& other) {
    left_out_ += other.left_out_;
    too_long_ += other.too_long_;
    for (auto& [key, from] : other.by_key_) {
      if (Slot* to = find_or_add(key, from->row.weight())) to->row.merge(std::move(from->row));
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return by_key_.size(); }
  [[nodiscard]] FullTable full() const { return {std::string(name_), limit_, left_out_}; }
  [[nodiscard]] FullTable long_keys() const { return {std::string(name_), max_key, too_long_, FullTable::Why::long_key}; }
  /// Sorted by key.
  [[nodiscard]] std::vector<const Slot*> sorted() const {
    std::vector<const Slot*> out;
    out.reserve(by_key_.size());
    for (const auto& [key, slot] : by_key_) out.push_back(slot);
    std::sort(out.begin(), out.end(), [](const Slot* a, const Slot* b) { return a->key < b->key; });
    return out;
  }

 private:
  static bool before(const Slot* a, const Slot* b) noexcept {
    return a->rank != b->rank ? a->rank < b->rank : a->key < b->key;
  }

  Slot* add(std::string_view key) {
    const std::uint64_t rank = stable_hash(key);
    Slot* slot = nullptr;
    const bool full = by_key_.size() >= limit_;
    if (!full) {
      slot = &slots_.emplace_back();
    } else {
      if (by_rank_.empty()) {
        for (Slot& s : slots_) by_rank_.push_back(&s);
        std::make_heap(by_rank_.begin(), by_rank_.end(), before);
      }
      if (by_rank_.empty()) return nullptr;
      slot = by_rank_.front();
      if (slot->rank < rank || (slot->rank == rank && slot->key < key)) return nullptr;
      std::pop_heap(by_rank_.begin(), by_rank_.end(), before);
      by_rank_.pop_back();
      left_out_ += slot->row.weight();
      by_key_.erase(slot->key);
      slot->row = Row{};
    }
    slot->key.assign(key);
    slot->rank = rank;
    slot->uid = ++uids_;
    by_key_.emplace(std::string_view(slot->key), slot);
    if (full) {
      by_rank_.push_back(slot);
      std::push_heap(by_rank_.begin(), by_rank_.end(), before);
    }
    return slot;
  }

  std::string_view name_;
  std::size_t limit_;
  std::uint64_t left_out_ = 0, too_long_ = 0;
  std::uint64_t uids_ = 0;
  std::deque<Slot> slots_;
  absl::flat_hash_map<std::string_view, Slot*> by_key_;  ///< keys live in the slots
  std::vector<Slot*> by_rank_;                           ///< heap, the largest rank first; made when the table is full
};

}  // namespace kparse::report
