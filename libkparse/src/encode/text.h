// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <span>
#include <string_view>

namespace kparse {

/// Puts text together in somebody's buffer; what doesn't fit is cut.
class Text {
 public:
  explicit Text(std::span<char> to) noexcept : to_(to) {}
  Text& operator<<(std::string_view t) noexcept {
    const std::size_t n = std::min(t.size(), to_.size() - used_);
    std::copy_n(t.data(), n, to_.data() + used_);
    used_ += n;
    return *this;
  }
  Text& operator<<(std::int64_t v) noexcept {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, v).ptr;
    return *this << std::string_view(digits, static_cast<std::size_t>(end - digits));
  }
  [[nodiscard]] std::string_view view() const noexcept { return {to_.data(), used_}; }

 private:
  std::span<char> to_;
  std::size_t used_ = 0;
};

}  // namespace kparse
