// SPDX-License-Identifier: MIT
#include "lint/text.h"

#include <cstdio>

namespace kparse::lint {
namespace {

constexpr char digits[] = "0123456789abcdef";

}  // namespace

Text& Text::operator<<(const Quoted& q) {
  const std::string_view shown = q.text.substr(0, q.most);
  for (const char c : shown) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      text_ += c;
    } else {
      text_ += "\\x";
      text_ += digits[byte >> 4];
      text_ += digits[byte & 15];
    }
  }
  if (shown.size() < q.text.size()) text_ += "...";
  return *this;
}

Text& Text::operator<<(const Hex& h) {
  const Bytes shown = h.bytes.first(h.bytes.size() < h.most ? h.bytes.size() : h.most);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (i > 0) text_ += ' ';
    text_ += digits[shown[i] >> 4];
    text_ += digits[shown[i] & 15];
  }
  if (shown.size() < h.bytes.size()) text_ += " ...";
  return *this;
}

Text& Text::operator<<(const Decimal& d) {
  char out[64];
  const int n = std::snprintf(out, sizeof out, "%.*f", d.decimals, d.value);
  std::string_view s(out, n > 0 ? static_cast<std::size_t>(n) : 0);
  if (s.find('.') != s.npos) {
    while (s.ends_with('0')) s.remove_suffix(1);
    if (s.ends_with('.')) s.remove_suffix(1);
  }
  return *this << s;
}

}  // namespace kparse::lint
