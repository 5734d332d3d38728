// SPDX-License-Identifier: MIT
// Lists that a body fills while it is walked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

namespace kparse {

/// Keeps its memory from body to body, up to a point. Counts from the wire could make it huge: past `limit` it only
/// counts.
template <class T, std::size_t limit = 1u << 16>
class Listing {
 public:
  void clear() noexcept {
    if (items_.capacity() > 4096) items_ = {};
    items_.clear();
  }
  T* push(const T& v) noexcept {
    if (items_.size() >= limit) {
      ++left_out_;
      return nullptr;
    }
    try {
      return &items_.emplace_back(v);
    } catch (const std::bad_alloc&) {
      ++left_out_;
      return nullptr;
    }
  }
  [[nodiscard]] std::span<const T> view() const noexcept { return items_; }
  [[nodiscard]] std::vector<T>& items() noexcept { return items_; }
  [[nodiscard]] const std::vector<T>& items() const noexcept { return items_; }
  [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
  /// Over all bodies.
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }
  void count_left_out(std::uint64_t n) noexcept { left_out_ += n; }

 private:
  std::vector<T> items_;
  std::uint64_t left_out_ = 0;
};

}  // namespace kparse
