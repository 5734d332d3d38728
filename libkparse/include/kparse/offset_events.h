// SPDX-License-Identifier: MIT
// Committed offsets, and where partitions end.
#pragma once

#include <cstdint>
#include <string_view>

#include "kparse/stamp.h"
#include "kparse/topic_ref.h"

namespace kparse {

/// One partition of an OffsetCommit or TxnOffsetCommit.
struct OffsetCommit {
  std::uint64_t serial = 0;
  Stamp first, at;                           ///< the packet that begins the request; the one that made it complete
  std::string_view group, member, instance;
  std::int32_t generation = -1;              ///< or member epoch; -1: not by a member
  bool transactional = false;
  std::string_view transactional_id;
  std::int64_t producer_id = -1;
  std::int16_t producer_epoch = -1;
  TopicRef topic;
  std::int32_t partition = -1;
  std::int64_t offset = -1;
  std::int32_t leader_epoch = -1;
  std::string_view metadata;
  bool answered = false;                     ///< false: no answer was seen, so whether it was done isn't known
  std::int16_t error = 0;
};

/// One partition of an OffsetFetch answer.
struct OffsetFetched {
  std::string_view group, member;
  TopicRef topic;
  std::int32_t partition = -1;
  std::int64_t offset = -1;                  ///< -1: nothing is committed
  std::string_view metadata;
  std::int16_t error = 0;
};

/// One partition of a ListOffsets answer.
struct OffsetListed {
  TopicRef topic;
  std::int32_t partition = -1;
  std::int64_t asked = 0;                    ///< the timestamp asked for: -1 latest, -2 earliest, see enums(ListOffsets)
  std::int8_t isolation = 0;                 ///< 1: read_committed, so "latest" is the last stable offset
  std::int64_t offset = -1, timestamp = -1;
  std::int16_t error = 0;
};

}  // namespace kparse
