// SPDX-License-Identifier: MIT
// The limits of one decompression, applied to its buffer.
#pragma once

#include <algorithm>
#include <cstdint>

#include "compress/buffer.h"
#include "kparse/compress.h"

namespace kparse {

/// Lets a codec write into a buffer as far as the limits go, and one byte further, so that it can show that it goes on.
class Output {
 public:
  Output(Buffer& buffer, std::size_t in, const DecompressLimits& limits) noexcept : buffer_(buffer), in_(in) {
    const std::uint64_t dense = std::max<std::uint64_t>(std::uint64_t{in} * limits.max_ratio, limits.ratio_from);
    const std::uint64_t large = std::min<std::uint64_t>(limits.max_out, std::uint64_t{1} << 40);
    cap_ = std::min(large, dense);
    past_ = dense < large ? Error{.code = Code::tooDense, .limit = Limit::payload, .need = limits.max_ratio}
                          : Error{.code = Code::tooLarge, .limit = Limit::payload, .need = large};
    buffer_.clear();
  }

  [[nodiscard]] Buffer& buffer() noexcept { return buffer_; }
  [[nodiscard]] bool over() const noexcept { return buffer_.size() > cap_; }
  [[nodiscard]] bool allows(std::uint64_t more) const noexcept { return !over() && more <= cap_ - buffer_.size(); }

  /// The error of an output that passes the cap; the input got to `offset`.
  [[nodiscard]] Error past(std::uint64_t offset) const noexcept {
    Error e = past_;
    e.offset = offset;
    e.have = buffer_.size();
    return e;
  }

  /// Room for a size that the input claims: taken at its word as far as `factor` times the input backs it.
  [[nodiscard]] bool hint(std::uint64_t claim, std::uint64_t factor) noexcept {
    const std::uint64_t backed = std::max<std::uint64_t>(in_ * factor, smallest);
    return buffer_.reserve(static_cast<std::size_t>(std::min({claim, backed, cap_}) + 1));
  }

  /// Room for `n` bytes more or up to the cap; when memory must be had, as much again as is there (amortised).
  [[nodiscard]] bool ensure(std::uint64_t n) noexcept {
    const std::uint64_t left = cap_ + 1 - std::min<std::uint64_t>(buffer_.size(), cap_);
    n = std::min(n, left);
    if (buffer_.room() >= n) return true;
    return buffer_.reserve(static_cast<std::size_t>(std::min(left, std::max<std::uint64_t>(n, buffer_.size()))));
  }

  /// How much a codec may write now.
  [[nodiscard]] std::size_t room() const noexcept {
    const std::uint64_t left = cap_ + 1 - std::min<std::uint64_t>(buffer_.size(), cap_ + 1);
    return static_cast<std::size_t>(std::min<std::uint64_t>(buffer_.room(), left));
  }

 private:
  static constexpr std::uint64_t smallest = 64u << 10;

  Buffer& buffer_;
  std::uint64_t in_;
  std::uint64_t cap_ = 0;
  Error past_;
};

}  // namespace kparse
