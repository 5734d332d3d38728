// SPDX-License-Identifier: MIT
// Small things that events of all kinds are made of.
#pragma once

#include <cstdint>
#include <string_view>

namespace kparse {

/// A topic as the wire names it: by name, by id, or both.
struct TopicRef {
  std::string_view name;              ///< "" when only an id is on the wire and nothing has named it yet
  const std::uint8_t* id = nullptr;   ///< 16 bytes, or nullptr
};

struct PartitionRef {
  TopicRef topic;
  std::int32_t partition = -1;
};

/// What an observer wants to hear of beside the events that come always. Each costs something for the frames that it is
/// about, and nothing for the others: mostly a second, small walk over the body.
enum class Wants : std::uint8_t {
  basics = 0,
  groups = 1,         ///< group_events.h
  offsets = 2,        ///< offset_events.h: committed offsets, and where partitions end
  fetches = 4,        ///< fetch_events.h: sessions, what was asked for and what came
  share = 8,          ///< share_events.h
  transactions = 16,  ///< transaction_events.h: the calls
  batches = 32,       ///< transaction_events.h: headers of record batches, markers, sequences
  cluster = 64,       ///< cluster_events.h: leaders, coordinators, advertised versions
  segments = 128,     ///< transport_events.h; only where packets are read
  everything = 255,
};
[[nodiscard]] constexpr Wants operator|(Wants a, Wants b) noexcept {
  return static_cast<Wants>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
[[nodiscard]] constexpr bool operator&(Wants a, Wants b) noexcept {
  return (static_cast<unsigned>(a) & static_cast<unsigned>(b)) != 0;
}

}  // namespace kparse
