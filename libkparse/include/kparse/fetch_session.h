// SPDX-License-Identifier: MIT
// The partitions of one fetch session, as the broker has them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

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

/// Not thread-safe. Sorted by topic and partition. Changing it throws std::bad_alloc without memory.
class FetchSession {
 public:
  /// Adds a partition, or moves it to another offset.
  void put(const FetchTarget&);
  void forget(const TopicRef&, std::int32_t partition);
  [[nodiscard]] std::size_t size() const noexcept { return targets_.size(); }
  /// The offset that is asked for, -1 when the partition isn't part of it. O(log n).
  [[nodiscard]] std::int64_t offset(const TopicRef&, std::int32_t partition) const;
  /// `f(const FetchTarget&)` for each; names are those of the wire, often "".
  template <class F>
  void each(F f) const {
    for (const auto& [key, target] : targets_)
      f(FetchTarget{.topic = {.name = key.first.name, .id = key.first.has_id ? key.first.id.data() : nullptr},
                    .partition = key.second,
                    .offset = target.offset,
                    .leader_epoch = target.leader_epoch});
  }

 private:
  struct Place {
    std::int64_t offset;
    std::int32_t leader_epoch;
  };
  using Key = std::pair<TopicKept, std::int32_t>;
  static Key key_of(const TopicRef&, std::int32_t partition);
  std::map<Key, Place> targets_;
};

}  // namespace kparse
