// SPDX-License-Identifier: MIT
// Slices of a snapshot file (FetchSnapshot, KIP-630) back to whole batches.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kparse/bytes.h"

namespace kparse {

struct SnapshotSlice {
  std::string_view topic;
  std::int32_t partition = -1;
  std::int64_t end_offset = -1;  ///< with `epoch`: the snapshot's id
  std::int64_t epoch = -1;
  std::int64_t position = 0;
  Bytes bytes;
};

/// Joins the slices of one snapshot at a time, which is how followers fetch them. Slices must come in order from position 0;
/// one that doesn't follow the one before can't be read, and neither can what comes after it.
/// Memory: one batch that is not yet whole, at most `max_batch`.
class SnapshotJoiner {
 public:
  static constexpr std::size_t max_batch = 16u << 20;

  /// Calls `give(position, batches)` for runs of whole batches, in order: at most twice. Returns how many bytes of the
  /// slice can't be read.
  template <class Give>
  std::uint64_t add(const SnapshotSlice& slice, Give&& give) noexcept {
    if (!follows(slice)) return slice.bytes.size();
    Bytes rest = slice.bytes;
    if (!tail_.empty()) {
      const Step step = complete_tail(rest);
      if (step == Step::broken) return slice.bytes.size();
      if (step == Step::wanting) return 0;
      give(next_ - rest.size() - tail_.size(), Bytes(tail_));
      tail_.clear();
    }
    const std::size_t whole = whole_batches(rest);
    if (whole > 0) give(next_ - rest.size(), rest.first(whole));
    return keep(rest.subspan(whole)) ? 0 : rest.size() - whole;
  }

 private:
  enum class Step : std::uint8_t { whole, wanting, broken };

  /// Is the slice the next one of the snapshot, or the first of another? Moves `next_` to its end.
  bool follows(const SnapshotSlice&) noexcept;
  /// Takes from `rest` what the batch in the tail lacks.
  Step complete_tail(Bytes& rest) noexcept;
  [[nodiscard]] static std::size_t whole_batches(Bytes) noexcept;
  bool keep(Bytes) noexcept;
  void lose() noexcept;

  std::string topic_;
  std::int32_t partition_ = -1;
  std::int64_t end_offset_ = -1;
  std::int64_t epoch_ = -1;
  bool joined_ = false;            ///< everything from position 0 to next_ was seen
  std::uint64_t next_ = 0;
  std::vector<std::uint8_t> tail_; ///< the beginning of a batch
};

}  // namespace kparse
