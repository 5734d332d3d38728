// SPDX-License-Identifier: MIT
// Percentiles in little memory.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kparse::report {

/// Log-linear histogram of whole numbers: 64 buckets to each power of two, told by their middle, so a percentile is at
/// most 0.8 % off. Exact for up to 64 values, and for values below 128. Count, least, greatest and mean are always exact.
/// Adding costs a few clock ticks; memory is at most 30 KB, as much as the greatest value needs.
class Histogram {
 public:
  void add(std::int64_t value) {
    ++count_;
    sum_ += value;
    if (value < min_ || count_ == 1) min_ = value;
    if (value > max_ || count_ == 1) max_ = value;
    if (buckets_.empty()) return add_exact(value);
    add_bucket(value, 1);
  }
  /// The same value so many times.
  void add(std::int64_t value, std::uint64_t times) {
    for (; times > 0 && buckets_.empty(); --times) add(value);
    if (times == 0) return;
    count_ += times;
    sum_ += static_cast<Sum>(value) * static_cast<Sum>(times);
    if (value < min_) min_ = value;
    if (value > max_) max_ = value;
    add_bucket(value, times);
  }
  void merge(const Histogram& other);

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// Of no values: 0.
  [[nodiscard]] std::int64_t min() const noexcept { return min_; }
  [[nodiscard]] std::int64_t max() const noexcept { return max_; }
  [[nodiscard]] double mean() const noexcept;
  /// Nearest rank: the value at place ceil(percent / 100 * count) of the sorted values. 0 of no values.
  [[nodiscard]] std::int64_t percentile(unsigned percent) const;

 private:
  static constexpr std::size_t exact_limit = 64;
  static constexpr unsigned linear_bits = 6;

  static std::size_t bucket_of(std::uint64_t value) noexcept {
    if (value < 128) return value;
    const unsigned shift = static_cast<unsigned>(std::bit_width(value)) - (linear_bits + 1);
    return (shift << linear_bits) + (value >> shift);
  }
  static std::int64_t middle_of(std::size_t bucket) noexcept;

  void add_exact(std::int64_t value);
  void add_bucket(std::int64_t value, std::uint64_t times) {
    if (value < 0) [[unlikely]] {
      negative_ += times;
      return;
    }
    const std::size_t bucket = bucket_of(static_cast<std::uint64_t>(value));
    if (bucket >= buckets_.size()) [[unlikely]] buckets_.resize(bucket + 1);
    buckets_[bucket] += times;
  }
  void leave_exact();

  std::uint64_t count_ = 0;
  std::int64_t min_ = 0, max_ = 0;
  __extension__ using Sum = __int128;
  Sum sum_ = 0;
  std::vector<std::int64_t> exact_;      ///< all values, as long as they are few
  std::vector<std::uint64_t> buckets_;   ///< empty while exact_ holds them
  std::uint64_t negative_ = 0;           ///< a clock that was set back
};

}  // namespace kparse::report
