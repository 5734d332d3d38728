// SPDX-License-Identifier: MIT
#include "report/histogram.h"

#include <algorithm>

namespace kparse::report {

void Histogram::add_exact(std::int64_t value) {
  if (exact_.size() < exact_limit) return exact_.push_back(value);
  leave_exact();
  add_bucket(value, 1);
}

void Histogram::leave_exact() {
  buckets_.resize(1);
  for (const std::int64_t value : exact_) add_bucket(value, 1);
  exact_ = {};
}

void Histogram::merge(const Histogram& other) {
  if (other.count_ == 0) return;
  min_ = count_ == 0 ? other.min_ : std::min(min_, other.min_);
  max_ = count_ == 0 ? other.max_ : std::max(max_, other.max_);
  count_ += other.count_;
  sum_ += other.sum_;
  if (buckets_.empty() && other.buckets_.empty() && exact_.size() + other.exact_.size() <= exact_limit) {
    exact_.insert(exact_.end(), other.exact_.begin(), other.exact_.end());
    return;
  }
  if (buckets_.empty()) leave_exact();
  for (const std::int64_t value : other.exact_) add_bucket(value, 1);
  if (buckets_.size() < other.buckets_.size()) buckets_.resize(other.buckets_.size());
  for (std::size_t i = 0; i < other.buckets_.size(); ++i) buckets_[i] += other.buckets_[i];
  negative_ += other.negative_;
}

double Histogram::mean() const noexcept {
  return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

std::int64_t Histogram::middle_of(std::size_t bucket) noexcept {
  if (bucket < 128) return static_cast<std::int64_t>(bucket);
  const std::size_t shift = (bucket >> linear_bits) - 1;
  const std::uint64_t low = static_cast<std::uint64_t>(bucket - (shift << linear_bits)) << shift;
  return static_cast<std::int64_t>(low + (std::uint64_t{1} << shift >> 1));
}

std::int64_t Histogram::percentile(unsigned percent) const {
  if (count_ == 0) return 0;
  const std::uint64_t whole = count_ / 100, rest = count_ % 100;  // of two products none overflows
  const std::uint64_t rank = std::clamp<std::uint64_t>(whole * percent + (rest * percent + 99) / 100, 1, count_);
  if (buckets_.empty()) {
    std::vector<std::int64_t> sorted = exact_;
    const auto place = sorted.begin() + static_cast<std::ptrdiff_t>(rank - 1);
    std::nth_element(sorted.begin(), place, sorted.end());
    return *place;
  }
  std::uint64_t seen = negative_;
  if (rank <= seen) return min_;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    seen += buckets_[i];
    if (rank <= seen) return std::clamp(middle_of(i), min_, max_);
  }
  return max_;
}

}  // namespace kparse::report
