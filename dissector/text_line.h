// SPDX-License-Identifier: GPL-2.0-or-later
// The label of an item, put together without printf: trees have many.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace kparse::dissector {

/// As long as Wireshark's labels; what doesn't fit is left away.
class TextLine {
 public:
  void put(std::string_view text) noexcept {
    const std::size_t n = text.size() < most - size_ ? text.size() : most - size_;
    std::memcpy(data_ + size_, text.data(), n);
    size_ += n;
  }
  void put(std::int64_t v) noexcept {
    const auto done = std::to_chars(data_ + size_, data_ + most, v);
    if (done.ec == std::errc{}) size_ = static_cast<std::size_t>(done.ptr - data_);
  }
  [[nodiscard]] const char* text() noexcept {
    data_[size_] = 0;
    return data_;
  }

 private:
  static constexpr std::size_t most = 239;
  char data_[most + 1];
  std::size_t size_ = 0;
};

}  // namespace kparse::dissector
