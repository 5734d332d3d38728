// SPDX-License-Identifier: MIT
// Who leads what, who coordinates whom, what brokers advertise.
#pragma once

#include <cstdint>
#include <string_view>

#include "kparse/topic_ref.h"

namespace kparse {

struct LeaderTold {
  enum class Source : std::uint8_t { metadata, produce, fetch, share };   ///< all but the first: KIP-951
  Source source = Source::metadata;
  TopicRef topic;
  std::int32_t partition = -1;
  std::int32_t leader = -1;                   ///< -1: none
  std::int32_t leader_epoch = -1;             ///< -1: not told
  std::int16_t error = 0;                     ///< of the partition
};

struct CoordinatorTold {
  enum class Of : std::uint8_t { group, transaction, share };
  Of of = Of::group;
  std::string_view key;                       ///< group, transactional id
  std::int32_t node = -1;
  std::string_view host;
  std::int32_t port = -1;
  std::int16_t error = 0;
};

/// One entry of an ApiVersions answer.
struct VersionsTold {
  std::int16_t api_key = -1;
  std::int16_t lowest = 0, highest = -1;
};

}  // namespace kparse
