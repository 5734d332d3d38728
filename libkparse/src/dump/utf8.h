// SPDX-License-Identifier: MIT
// UTF-8 as Java reads it: what isn't UTF-8 is counted in the same pieces, so that as many U+FFFD come out.
// Source: java.lang.String's decoder (JDK 17): the longest well-formed beginning of a sequence is one piece, and so are
// the three bytes of a surrogate.
#pragma once

#include <cstddef>
#include <string_view>

#include "kparse/text.h"

namespace kparse {

struct Utf8Piece {
  std::size_t size;  ///< bytes, at least 1
  bool valid;
  char32_t code;  ///< when valid
};

/// The piece at text[at]; `at` < text.size().
[[nodiscard]] Utf8Piece utf8_piece(std::string_view text, std::size_t at) noexcept;

}  // namespace kparse
