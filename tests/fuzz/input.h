// SPDX-License-Identifier: MIT
// An input taken apart from its front. Past its end there are zeros and empty pieces.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "kparse/bytes.h"

namespace kparse::fuzz {

class Input {
 public:
  explicit Input(Bytes b) noexcept : rest_(b) {}
  [[nodiscard]] bool done() const noexcept { return rest_.empty(); }
  [[nodiscard]] Bytes rest() const noexcept { return rest_; }
  std::uint8_t u8() noexcept {
    const Bytes b = take(1);
    return b.empty() ? 0 : b[0];
  }
  std::uint16_t u16() noexcept {
    const std::uint8_t high = u8();
    return static_cast<std::uint16_t>(high << 8 | u8());
  }
  std::uint32_t u32() noexcept {
    const std::uint32_t high = u16();
    return high << 16 | u16();
  }
  Bytes take(std::size_t n) noexcept {
    const Bytes b = rest_.first(std::min(n, rest_.size()));
    rest_ = rest_.subspan(b.size());
    return b;
  }

 private:
  Bytes rest_;
};

/// Memory of its own, so that AddressSanitizer sees where it ends.
class Copy {
 public:
  explicit Copy(Bytes b) : size_(b.size()), data_(new std::uint8_t[b.size()]) { std::copy(b.begin(), b.end(), data_.get()); }
  operator Bytes() const noexcept { return {data_.get(), size_}; }

 private:
  std::size_t size_;
  std::unique_ptr<std::uint8_t[]> data_;
};

}  // namespace kparse::fuzz
