// SPDX-License-Identifier: MIT
// Which topic, partition and group surround a field: one level for each struct that is open.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>
#include <type_traits>

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
  enum : std::uint8_t {
    own_name = 1,
    own_id = 2,
    own_partition = 4,
    own_group = 8,
    own_member = 16,
    own_endpoint = 32,
    told_partition = 64,            ///< a partition of the own topic was told
    produced = 128,                 ///< answers a produced partition
  };
  std::uint8_t has = 0;             ///< together: most structs have nothing that is told when they end
  std::string_view host;
  std::int32_t port = -1;
  std::int64_t base_offset = -1;
  std::int64_t append_time = -1;

  // An error code may stand before the name of what failed: told when the struct ends.
  struct Pending {
    std::int16_t code;
    NodeId node;
  };
  std::array<Pending, 4> pending;   ///< the first pending_count
  std::uint8_t pending_count = 0;
  std::int16_t last_error = 0;

  [[nodiscard]] bool own_topic() const noexcept { return (has & (own_name | own_id)) != 0; }
  [[nodiscard]] bool has_topic() const noexcept { return topic.id || !topic.name.empty(); }

  Level() noexcept {}   // NOLINT: not = default, which would set `pending`
  struct Around {
    const Level& level;
  };
  /// A struct inside of that one.
  explicit Level(Around o) noexcept
      : topic(o.level.topic),
        partition(o.level.partition),
        group(o.level.group),
        member(o.level.member),
        broker_id(o.level.broker_id) {}
};

/// Deeper than any schema nests; what were deeper would share the last level.
inline constexpr int max_levels = 16;

/// The structs around a place, outermost first. Those that no walk comes to cost nothing.
class Levels {
 public:
  Levels() noexcept { new (at(0)) Level; }
  Level& operator[](int n) noexcept { return *std::launder(at(n)); }
  /// Makes level `n`, inside of the one before.
  void enter(int n, const Level& around) noexcept { new (at(n)) Level(Level::Around{around}); }

 private:
  static_assert(std::is_trivially_destructible_v<Level>);
  Level* at(int n) noexcept { return reinterpret_cast<Level*>(bytes_) + n; }
  alignas(Level) std::byte bytes_[sizeof(Level) * max_levels];
};

}  // namespace kparse
