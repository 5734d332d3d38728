// SPDX-License-Identifier: MIT
// What a rule keeps of a connection's requests until they are answered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace kparse::lint {

/// Any number of items for each request, by the request's serial. A ring that is used again: allocates only while it
/// grows. Of more than max_items the oldest are forgotten.
template <class T>
class BySerial {
 public:
  static constexpr std::size_t max_items = 1u << 16;

  /// Serials come in rising order.
  void add(std::uint64_t serial, const T& item) {
    if (count_ == ring_.size()) {
      if (count_ < max_items) {
        grow();
      } else {
        drop_front();
      }
    }
    at(count_++) = {serial, true, item};
  }

  /// f(const T&) for each item of the request.
  template <class F>
  void each(std::uint64_t serial, F&& f) const {
    for (std::size_t n = first(serial); n < count_ && at(n).serial == serial; ++n)
      if (at(n).live) f(at(n).item);
  }

  /// f(serial, const T&) for all, oldest first.
  template <class F>
  void each(F&& f) const {
    for (std::size_t n = 0; n < count_; ++n)
      if (at(n).live) f(at(n).serial, at(n).item);
  }

  void forget(std::uint64_t serial) noexcept {
    for (std::size_t n = first(serial); n < count_ && at(n).serial == serial; ++n) at(n).live = false;
    while (count_ > 0 && !at(0).live) drop_front();
  }

  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }

 private:
  struct Item {
    std::uint64_t serial = 0;
    bool live = false;
    T item{};
  };

  Item& at(std::size_t n) noexcept { return ring_[(head_ + n) & (ring_.size() - 1)]; }
  const Item& at(std::size_t n) const noexcept { return ring_[(head_ + n) & (ring_.size() - 1)]; }
  void drop_front() noexcept {
    head_ = (head_ + 1) & (ring_.size() - 1);
    --count_;
  }
  void grow() {
    std::vector<Item> more(ring_.empty() ? 8 : 2 * ring_.size());
    for (std::size_t n = 0; n < count_; ++n) more[n] = at(n);
    ring_ = std::move(more);
    head_ = 0;
  }
  /// Where the request's items begin, or would. Answers mostly come in the order of their requests.
  [[nodiscard]] std::size_t first(std::uint64_t serial) const noexcept {
    if (count_ == 0 || at(0).serial >= serial) return 0;
    std::size_t low = 0, high = count_;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (at(middle).serial < serial) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  std::vector<Item> ring_;  ///< its size is a power of two
  std::size_t head_ = 0, count_ = 0;
};

}  // namespace kparse::lint
