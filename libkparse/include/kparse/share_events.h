// SPDX-License-Identifier: MIT
// Share groups (KIP-932): which records a member holds, and what it says of them.
#pragma once

#include <cstdint>
#include <string_view>

#include "kparse/stamp.h"
#include "kparse/topic_ref.h"

namespace kparse {

/// A range of records that a ShareFetch answer hands to a member for a while.
struct ShareAcquired {
  std::string_view group, member;
  TopicRef topic;
  std::int32_t partition = -1;
  std::int64_t first_offset = -1, last_offset = -1;   ///< both included
  std::int16_t delivery_count = 0;           ///< 1: the first time
};

/// What a member says of a range of them, in ShareAcknowledge or with its next ShareFetch.
struct ShareAcknowledged {
  std::uint64_t serial = 0;
  Stamp first, at;                           ///< the packet that begins the request; the one that made it complete
  std::string_view group, member;
  TopicRef topic;
  std::int32_t partition = -1;
  std::int64_t first_offset = -1, last_offset = -1;
  std::int8_t type = 0;                      ///< 0 gap, 1 accept, 2 release, 3 reject, 4 renew
  bool answered = false;
  std::int16_t error = 0;
};
[[nodiscard]] std::string_view share_acknowledge_name(std::int8_t type) noexcept;

}  // namespace kparse
