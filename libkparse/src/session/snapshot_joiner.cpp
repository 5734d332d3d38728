// SPDX-License-Identifier: MIT
#include "session/snapshot_joiner.h"

#include <algorithm>
#include <new>

namespace kparse {
namespace {

constexpr std::size_t prefix = 12;      // base offset and length
constexpr std::int32_t least_length = 14;  // of the smallest entry of any format

/// Size of the batch that begins here, 0 when that isn't one.
std::size_t batch_size(const std::uint8_t* at) noexcept {
  const auto length = load_be<std::int32_t>(at + 8);
  return length < least_length ? 0 : prefix + static_cast<std::size_t>(length);
}

}  // namespace

bool SnapshotJoiner::follows(const SnapshotSlice& s) noexcept {
  if (s.position < 0) return false;
  const auto position = static_cast<std::uint64_t>(s.position);
  const bool same = s.topic == topic_ && s.partition == partition_ && s.end_offset == end_offset_ && s.epoch == epoch_;
  if (!same || position == 0) {
    tail_.clear();
    joined_ = position == 0;
    try {
      topic_ = s.topic;
    } catch (const std::bad_alloc&) {
      joined_ = false;
    }
    partition_ = s.partition;
    end_offset_ = s.end_offset;
    epoch_ = s.epoch;
  } else if (position != next_) {
    lose();
  }
  if (joined_) next_ = position + s.bytes.size();
  return joined_;
}

SnapshotJoiner::Step SnapshotJoiner::complete_tail(Bytes& rest) noexcept {
  try {
    auto take = [&](std::size_t up_to) {
      const std::size_t n = std::min(up_to - tail_.size(), rest.size());
      tail_.insert(tail_.end(), rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(n));
      rest = rest.subspan(n);
      return tail_.size() == up_to;
    };
    if (tail_.size() < prefix && !take(prefix)) return Step::wanting;
    const std::size_t size = batch_size(tail_.data());
    if (size == 0 || size > max_batch) {
      lose();
      return Step::broken;
    }
    return take(size) ? Step::whole : Step::wanting;
  } catch (const std::bad_alloc&) {
    lose();
    return Step::broken;
  }
}

std::size_t SnapshotJoiner::whole_batches(Bytes b) noexcept {
  std::size_t at = 0;
  while (b.size() - at >= prefix) {
    const std::size_t size = batch_size(b.data() + at);
    if (size == 0 || size > b.size() - at) break;
    at += size;
  }
  return at;
}

bool SnapshotJoiner::keep(Bytes rest) noexcept {
  const std::size_t size = rest.size() >= prefix ? batch_size(rest.data()) : prefix;
  if (size == 0 || size > max_batch) {
    lose();
    return false;
  }
  try {
    tail_.assign(rest.begin(), rest.end());
    return true;
  } catch (const std::bad_alloc&) {
    lose();
    return false;
  }
}

void SnapshotJoiner::lose() noexcept {
  tail_.clear();
  joined_ = false;
}

}  // namespace kparse
