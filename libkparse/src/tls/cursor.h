// SPDX-License-Identifier: MIT
// Reads TLS's big-endian numbers and counted vectors. After the first read past the end everything is empty.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kparse/bytes.h"

namespace kparse::tls {

class Cursor {
 public:
  explicit Cursor(Bytes b) noexcept : rest_(b) {}

  [[nodiscard]] bool ok() const noexcept { return ok_; }
  [[nodiscard]] bool done() const noexcept { return rest_.empty(); }
  [[nodiscard]] Bytes rest() const noexcept { return rest_; }

  Bytes take(std::size_t n) noexcept {
    if (n > rest_.size()) {
      ok_ = false;
      rest_ = {};
      return {};
    }
    const Bytes b = rest_.first(n);
    rest_ = rest_.subspan(n);
    return b;
  }
  std::uint32_t number(std::size_t bytes) noexcept {
    std::uint32_t v = 0;
    for (const std::uint8_t b : take(bytes)) v = v << 8 | b;
    return v;
  }
  std::uint8_t u8() noexcept { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t u16() noexcept { return static_cast<std::uint16_t>(number(2)); }
  /// A vector with a length of so many bytes in front.
  Bytes counted(std::size_t length_bytes) noexcept { return take(number(length_bytes)); }

 private:
  Bytes rest_;
  bool ok_ = true;
};

}  // namespace kparse::tls
