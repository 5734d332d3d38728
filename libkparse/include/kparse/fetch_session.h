// SPDX-License-Identifier: MIT
// The partitions of one fetch session, as the broker has them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "kparse/topic_ref.h"

namespace kparse {

/// A partition that is fetched, and from where.
struct FetchTarget {
  TopicRef topic;
  std::int32_t partition = -1;
  std::int64_t offset = -1;
  std::int32_t leader_epoch = -1;
};

/// A topic, kept: the id counts where there is one.
struct TopicKept {
  bool has_id = false;
  std::array<std::uint8_t, 16> id{};
  std::string name;
  auto operator<=>(const TopicKept&) const = default;
};

/// Orders topics, kept or not, alike: looking one up copies nothing.
struct TopicOrder {
  using is_transparent = void;
  [[nodiscard]] static TopicRef ref(const TopicKept& t) noexcept {
    return {.name = t.name, .id = t.has_id ? t.id.data() : nullptr};
  }
  [[nodiscard]] static TopicRef ref(const TopicRef& t) noexcept { return t; }
  [[nodiscard]] static bool less(const TopicRef&, const TopicRef&) noexcept;
  bool operator()(const auto& a, const auto& b) const noexcept { return less(ref(a), ref(b)); }
};

/// Not thread-safe. Sorted by topic and partition. Changing it throws std::bad_alloc without memory.
class FetchSession {
 public:
  /// Adds a partition, or moves it to another offset.
  void put(const FetchTarget&);
  void forget(const TopicRef&, std::int32_t partition);
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// The offset that is asked for, -1 when the partition isn't part of it. O(log n).
  [[nodiscard]] std::int64_t offset(const TopicRef&, std::int32_t partition) const;
  /// `f(const FetchTarget&)` for each; names are those of the wire, often "".
  template <class F>
  void each(F f) const {
    for (const auto& [topic, places] : targets_)
      for (const auto& [partition, place] : places)
        f(FetchTarget{.topic = TopicOrder::ref(topic),
                      .partition = partition,
                      .offset = place.offset,
                      .leader_epoch = place.leader_epoch});
  }

 private:
  struct Place {
    std::int64_t offset;
    std::int32_t leader_epoch;
  };
  std::map<TopicKept, std::map<std::int32_t, Place>, TopicOrder> targets_;
  std::size_t size_ = 0;
};

}  // namespace kparse
