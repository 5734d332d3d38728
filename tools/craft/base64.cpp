// SPDX-License-Identifier: MIT
#include "craft/base64.h"

#include <cstdint>

#include "craft/item.h"

namespace kparse::craft {

std::string decode_base64(const std::string& text, int line) {
  static constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t bits = 0;
  int have = 0;
  std::size_t digits = 0, pads = 0;
  for (const char c : text) {
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
    ++digits;
    if (c == '=') {
      ++pads;
      continue;
    }
    const auto v = letters.find(c);
    if (v == std::string_view::npos || pads > 0) throw ScriptError(line, "this is no base64");
    bits = bits << 6 | static_cast<std::uint32_t>(v);
    have += 6;
    if (have >= 8) {
      have -= 8;
      out += static_cast<char>(bits >> have & 0xff);
    }
  }
  if (digits % 4 != 0 || pads > 2) throw ScriptError(line, "this is no base64");
  return out;
}

}  // namespace kparse::craft
