// SPDX-License-Identifier: MIT
#include <array>
#include <cstring>

#include "dump/utf8.h"
#include "kparse/json.h"

namespace kparse {
namespace {

/// 0: written as it is; 'u': \u00XX; 1: begins a sequence of several bytes; else the letter after the backslash.
constexpr std::array<char, 256> escapes = [] {
  std::array<char, 256> e{};
  for (std::size_t n = 0; n < 0x20; ++n) e[n] = 'u';
  for (std::size_t n = 0x80; n < 256; ++n) e[n] = 1;
  e['"'] = '"';
  e['\\'] = '\\';
  e['\b'] = 'b';
  e['\f'] = 'f';
  e['\n'] = 'n';
  e['\r'] = 'r';
  e['\t'] = 't';
  e[0x7f] = 'u';
  return e;
}();

/// Bytes from `at` on that are written as they are. Eight at a time.
std::size_t plain_run(const char* at, std::size_t size) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101, tops = ones << 7;
  std::size_t n = 0;
  for (; n + 8 <= size; n += 8) {
    std::uint64_t v;
    std::memcpy(&v, at + n, 8);
    const std::uint64_t quote = v ^ (ones * '"'), slash = v ^ (ones * '\\'), del = v ^ (ones * 0x7f);
    if ((((v - ones * 0x20) | (quote - ones) | (slash - ones) | (del - ones) | v) & tops) != 0) break;
  }
  while (n < size && escapes[static_cast<std::uint8_t>(at[n])] == 0) ++n;
  return n;
}

}  // namespace

bool JsonWriter::escape(std::string_view text) noexcept {
  bool valid = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t run = plain_run(text.data() + at, text.size() - at);
    append(text.substr(at, run));
    at += run;
    if (at == text.size()) break;
    const auto b = static_cast<std::uint8_t>(text[at]);
    if (escapes[b] == 1) {
      const Utf8Piece piece = utf8_piece(text, at);
      append(piece.valid ? text.substr(at, piece.size) : "\xef\xbf\xbd");
      valid = valid && piece.valid;
      at += piece.size;
      continue;
    }
    if (escapes[b] == 'u') {
      const char code[6] = {'\\', 'u', '0', '0', "0123456789abcdef"[b >> 4], "0123456789abcdef"[b & 15]};
      append({code, sizeof code});
    } else {
      const char code[2] = {'\\', escapes[b]};
      append({code, sizeof code});
    }
    ++at;
  }
  return valid;
}

void JsonWriter::joined_string(std::string_view a, std::string_view b) noexcept {
  comma();
  put('"');
  (void)escape(a);
  (void)escape(b);
  put('"');
}

void JsonWriter::utf16_string(Bytes b) noexcept {
  comma();
  put('"');
  for (std::size_t at = 0; at + 1 < b.size(); at += 2) {
    std::uint32_t code = load_be<std::uint16_t>(b.data() + at);
    const std::uint32_t next = at + 3 < b.size() ? load_be<std::uint16_t>(b.data() + at + 2) : 0;
    if (code >> 10 == 0x36 && next >> 10 == 0x37) {
      code = 0x10000 + ((code & 0x3ff) << 10 | (next & 0x3ff));
      at += 2;
    }
    char utf8[4];
    std::size_t size = 0;
    const auto tail = [&](int shift) { utf8[size++] = static_cast<char>(0x80 | (code >> shift & 0x3f)); };
    if (code < 0x80) {
      utf8[size++] = static_cast<char>(code);
    } else if (code < 0x800) {
      utf8[size++] = static_cast<char>(0xc0 | code >> 6);
      tail(0);
    } else if (code < 0x10000) {  // a lone surrogate too: escape() replaces it
      utf8[size++] = static_cast<char>(0xe0 | code >> 12);
      tail(6);
      tail(0);
    } else {
      utf8[size++] = static_cast<char>(0xf0 | code >> 18);
      tail(12);
      tail(6);
      tail(0);
    }
    (void)escape({utf8, size});
  }
  put('"');
}

}  // namespace kparse
