// SPDX-License-Identifier: MIT
#include "kparse/text.h"

#include <cstring>

#include "dump/utf8.h"

namespace kparse {

void uuid_text(const std::uint8_t* id, char (&out)[uuid_text_size]) noexcept {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  for (std::size_t n = 0; n < uuid_text_size; ++n) {
    const std::size_t bit = 6 * n, byte = bit / 8;
    const std::uint32_t pair = std::uint32_t{id[byte]} << 8 | (byte + 1 < 16 ? id[byte + 1] : 0u);
    out[n] = letters[pair >> (10 - bit % 8) & 63];
  }
}

namespace {

/// Eight bytes of ASCII, and no NUL.
bool plain_word(const char* at) noexcept {
  constexpr std::uint64_t low = 0x0101010101010101, high = 0x8080808080808080;
  std::uint64_t w;
  std::memcpy(&w, at, sizeof w);
  return ((w | (w - low)) & high) == 0;
}

}  // namespace

bool plain_utf8(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size();) {
    if (text.size() - at >= 8 && plain_word(text.data() + at)) {
      at += 8;
      continue;
    }
    const auto b = static_cast<std::uint8_t>(text[at]);
    if (b == 0) return false;
    if (b < 0x80) {
      ++at;
      continue;
    }
    const Utf8Piece piece = utf8_piece(text, at);
    if (!piece.valid) return false;
    at += piece.size;
  }
  return true;
}

std::size_t clean_utf8(std::string_view text, char* out) noexcept {
  char* end = out;
  const auto put = [&end](std::string_view piece) {
    std::memcpy(end, piece.data(), piece.size());
    end += piece.size();
  };
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Piece piece = utf8_piece(text, at);
    if (!piece.valid) {
      put("\xef\xbf\xbd");
    } else if (text[at] == 0) {
      put("\xe2\x90\x80");
    } else {
      put(text.substr(at, piece.size));
    }
    at += piece.size;
  }
  return static_cast<std::size_t>(end - out);
}

}  // namespace kparse
