// SPDX-License-Identifier: MIT
// The whole batches of a Fetch answer, by partition, until on_partition_fetched asks for them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lint/keys.h"
#include "lint/rule.h"

namespace kparse::lint {

class FetchedBatches {
 public:
  struct Range {
    PartitionKey key;
    std::int64_t first_ends = -1, last_ends = -1;  ///< the last offsets of the first and of the furthest batch
  };

  /// From begin_response.
  void clear() noexcept {
    ranges_.clear();
    next_ = 0;
  }
  /// From on_batch.
  void add(const BatchSeen& b) {
    if (b.via != Via::fetch || b.batch.base_offset < 0) return;
    const PartitionKey key = partition_key(b.topic, b.partition);
    // A compressed message of the old formats has its last offset.
    const std::int64_t ends =
        b.batch.magic < 2
            ? b.batch.base_offset
            : static_cast<std::int64_t>(static_cast<std::uint64_t>(b.batch.base_offset) +
                                        static_cast<std::uint64_t>(std::max(b.batch.last_offset_delta, 0)));
    if (ranges_.empty() || ranges_.back().key != key) {
      ranges_.push_back({key, ends, ends});
    } else {
      ranges_.back().last_ends = std::max(ranges_.back().last_ends, ends);
    }
  }
  /// Partitions are told in the order of the answer, as batches were. nullptr: it has no whole batch.
  [[nodiscard]] const Range* of(const PartitionFetched& p) noexcept {
    if (next_ >= ranges_.size() || ranges_[next_].key != partition_key(p.topic, p.partition)) return nullptr;
    return &ranges_[next_++];
  }

 private:
  std::vector<Range> ranges_;
  std::size_t next_ = 0;
};

}  // namespace kparse::lint
