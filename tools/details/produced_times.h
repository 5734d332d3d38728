// SPDX-License-Identifier: MIT
// When batches were produced, by partition and first offset: what delays are measured from.
#pragma once

#include <cstdint>
#include <vector>

#include "story/following_map.h"
#include "story/topic_index.h"

namespace kparse::details {

/// Keeps the newest `limit` batches of all partitions, 16 bytes each. Offsets of a partition mostly come in order, so
/// that a batch costs a comparison; one that comes far too late is taken for the first of a log that begins anew.
class ProducedTimes {
 public:
  explicit ProducedTimes(std::size_t limit) : limit_(limit) {}

  void put(const story::PartitionKey&, std::int64_t first_offset, std::int64_t time_ns);
  /// nullptr: not known. Valid until the next put().
  [[nodiscard]] const std::int64_t* find(const story::PartitionKey&, std::int64_t first_offset);
  /// Batches that were forgotten.
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

 private:
  static constexpr std::size_t window = 64;  ///< places that a late batch is looked for
  struct Entry {
    std::int64_t offset, time_ns;
  };
  struct Log {
    std::vector<Entry> entries;
    std::size_t next = 0;  ///< where the last reader stopped
  };
  void forget_older_half();

  std::size_t limit_, size_ = 0;
  std::uint64_t left_out_ = 0;
  story::FollowingMap<story::PartitionKey, Log> logs_;
};

}  // namespace kparse::details
