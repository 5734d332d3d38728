// SPDX-License-Identifier: MIT
#include "dump/utf8.h"

#include <cstdint>

namespace kparse {
namespace {

constexpr bool continues(std::uint8_t b) noexcept { return (b & 0xc0) == 0x80; }

/// Can `second` follow `first` in a sequence of three or four bytes? Surrogates pass here.
constexpr bool fits(std::uint8_t first, std::uint8_t second) noexcept {
  if (!continues(second)) return false;
  if (first == 0xe0) return second >= 0xa0;
  if (first == 0xf0) return second >= 0x90;
  if (first == 0xf4) return second < 0x90;
  return true;
}

}  // namespace

Utf8Piece utf8_piece(std::string_view text, std::size_t at) noexcept {
  const auto byte = [&](std::size_t n) { return static_cast<std::uint8_t>(text[at + n]); };
  const std::size_t left = text.size() - at;
  const std::uint8_t first = byte(0);
  if (first < 0x80) return {1, true, first};
  if (first < 0xc2 || first > 0xf4) return {1, false, 0};
  if (first < 0xe0) {
    if (left < 2 || !continues(byte(1))) return {1, false, 0};
    return {2, true, static_cast<char32_t>((first & 0x1f) << 6 | (byte(1) & 0x3f))};
  }
  if (left < 2 || !fits(first, byte(1))) return {1, false, 0};
  if (left < 3 || !continues(byte(2))) return {2, false, 0};
  if (first < 0xf0) {
    const auto code = static_cast<char32_t>((first & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f));
    return {3, code < 0xd800 || code > 0xdfff, code};
  }
  if (left < 4 || !continues(byte(3))) return {3, false, 0};
  return {
      4, true,
      static_cast<char32_t>((first & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f))};
}

bool printable_utf8(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size();) {
    const auto b = static_cast<std::uint8_t>(text[at]);
    if (b < 0x80) {
      if (b < 0x20 || b == 0x7f) return false;
      ++at;
      continue;
    }
    const Utf8Piece piece = utf8_piece(text, at);
    if (!piece.valid || piece.code < 0xa0) return false;
    at += piece.size;
  }
  return true;
}

}  // namespace kparse
