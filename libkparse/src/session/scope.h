// SPDX-License-Identifier: MIT
// Which topic, partition and group surround a field: one level for each struct that is open.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "kparse/events.h"
#include "kparse/schema.h"

namespace kparse {

struct Level {
  // Nearest around: taken over from the struct outside.
  TopicRef topic;
  std::int32_t partition = -1;
  std::string_view group, member;
  std::int32_t broker_id = -1;

  // Of this struct itself.
  bool own_name = false, own_id = false;
  bool own_partition = false;
  bool own_group = false, own_member = false;
  bool told_partition = false;      ///< a partition of the own topic was told
  bool own_endpoint = false;
  bool produced = false;            ///< answers a produced partition
  std::string_view host;
  std::int32_t port = -1;
  std::int64_t base_offset = -1;
  std::int64_t append_time = -1;

  // An error code may stand before the name of what failed: told when the struct ends.
  struct Pending {
    std::int16_t code;
    NodeId node;
  };
  std::array<Pending, 4> pending{};
  std::uint8_t pending_count = 0;
  std::int16_t last_error = 0;

  [[nodiscard]] bool own_topic() const noexcept { return own_name || own_id; }
  [[nodiscard]] bool has_topic() const noexcept { return topic.id || !topic.name.empty(); }

  /// A struct inside of this one.
  [[nodiscard]] Level inner() const noexcept {
    Level l;
    l.topic = topic;
    l.partition = partition;
    l.group = group;
    l.member = member;
    l.broker_id = broker_id;
    return l;
  }
};

/// Deeper than any schema nests; what were deeper would share the last level.
inline constexpr int max_levels = 16;

}  // namespace kparse
