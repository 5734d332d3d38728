// SPDX-License-Identifier: MIT
// A finding's message, put together piece by piece.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "kparse/bytes.h"

namespace kparse::lint {

/// Bytes of strangers in a message: printable ASCII stays, the rest becomes \xNN; cut after `most`.
struct Quoted {
  std::string_view text;
  std::size_t most = 80;
};
/// "82 53 4e 41 ..."
struct Hex {
  Bytes bytes;
  std::size_t most = 16;
};
/// With so many decimals at most.
struct Decimal {
  double value;
  int decimals = 1;
};

class Text {
 public:
  /// Trusted text: literals, names of the protocol. What comes from the wire goes through Quoted.
  Text& operator<<(std::string_view s) { return text_ += s, *this; }
  Text& operator<<(const char* s) { return text_ += s, *this; }
  template <std::integral I>
  Text& operator<<(I n) {
    return text_ += std::to_string(n), *this;
  }
  Text& operator<<(const Quoted&);
  Text& operator<<(const Hex&);
  Text& operator<<(const Decimal&);

  [[nodiscard]] std::string take() && { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace kparse::lint
