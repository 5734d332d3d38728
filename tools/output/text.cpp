// SPDX-License-Identifier: MIT
#include "output/text.h"

#include <cstdlib>
#include <iterator>

#include <fmt/format.h>

namespace kparse::cli {
namespace {

/// Length of the valid UTF-8 sequence at the start of `s` and its code point; 0: not valid (RFC 3629: shortest form, no
/// surrogates).
std::size_t decode_utf8(std::string_view s, char32_t& code) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const auto follows = [&](std::size_t i) { return i < s.size() && (byte(i) & 0xc0) == 0x80; };
  const unsigned char b = byte(0);
  if (b < 0x80) {
    code = b;
    return 1;
  }
  if (b >= 0xc2 && b < 0xe0 && follows(1)) {
    code = static_cast<char32_t>((b & 0x1f) << 6 | (byte(1) & 0x3f));
    return 2;
  }
  if (b >= 0xe0 && b < 0xf0 && follows(1) && follows(2)) {
    code = static_cast<char32_t>((b & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f));
    return code >= 0x800 && (code < 0xd800 || code > 0xdfff) ? 3 : 0;
  }
  if (b >= 0xf0 && b < 0xf5 && follows(1) && follows(2) && follows(3)) {
    code = static_cast<char32_t>((b & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f));
    return code >= 0x10000 && code <= 0x10ffff ? 4 : 0;
  }
  return 0;
}

bool is_control(char32_t c) noexcept { return c < 0x20 || (c >= 0x7f && c < 0xa0); }

/// Line separators, and what changes the direction or order of the text around it (Unicode bidi controls).
bool is_deceptive(char32_t c) noexcept {
  return c == 0x61c || (c >= 0x200e && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
         c == 0xfeff;
}

bool is_combining(char32_t c) noexcept {
  return (c >= 0x300 && c <= 0x36f) || (c >= 0x200b && c <= 0x200d) || (c >= 0x20d0 && c <= 0x20ff) ||
         (c >= 0xfe00 && c <= 0xfe0f);
}

bool is_wide(char32_t c) noexcept {
  return (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) || (c >= 0xac00 && c <= 0xd7a3) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
         (c >= 0xffe0 && c <= 0xffe6) || (c >= 0x1f300 && c <= 0x1faff) || (c >= 0x20000 && c <= 0x3fffd);
}

}  // namespace

void append_printable(std::string& to, std::string_view text) {
  while (!text.empty()) {
    std::size_t plain = 0;
    while (plain < text.size() && text[plain] >= 0x20 && text[plain] < 0x7f) ++plain;
    to.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) return;
    char32_t code = 0;
    const std::size_t length = decode_utf8(text, code);
    if (length == 0 || is_control(code)) {
      const std::size_t shown = length == 0 ? 1 : length;
      for (std::size_t i = 0; i < shown; ++i)
        fmt::format_to(std::back_inserter(to), "\\x{:02x}", static_cast<unsigned char>(text[i]));
      text.remove_prefix(shown);
      continue;
    }
    if (is_deceptive(code)) {
      fmt::format_to(std::back_inserter(to), "\\u{{{:x}}}", static_cast<std::uint32_t>(code));
    } else {
      to.append(text.substr(0, length));
    }
    text.remove_prefix(length);
  }
}

std::string printable(std::string_view text) {
  std::string to;
  to.reserve(text.size());
  append_printable(to, text);
  return to;
}

std::size_t width_of(std::string_view text) noexcept {
  std::size_t width = 0;
  while (!text.empty()) {
    if (text.size() > 1 && text[0] == '\x1b' && text[1] == '[') {
      const auto end = text.find('m');
      if (end == std::string_view::npos) return width;
      text.remove_prefix(end + 1);
      continue;
    }
    char32_t code = 0;
    const std::size_t length = decode_utf8(text, code);
    if (length == 0) {
      ++width;
      text.remove_prefix(1);
      continue;
    }
    if (!is_combining(code)) width += is_wide(code) ? 2 : 1;
    text.remove_prefix(length);
  }
  return width;
}

Painter::Painter(When color, bool terminal) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool refused =
      (no_color != nullptr && *no_color != '\0') || (term != nullptr && std::string_view(term) == "dumb");
  on_ = color == When::always || (color == When::automatic && terminal && !refused);
}

std::string Painter::operator()(Style style, std::string_view text) const {
  static constexpr std::string_view codes[] = {"", "1", "2", "31", "32", "33", "34", "36"};
  if (!on_ || style == Style::plain || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", codes[static_cast<unsigned>(style)], text);
}

}  // namespace kparse::cli
