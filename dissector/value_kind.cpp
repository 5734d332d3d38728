// SPDX-License-Identifier: GPL-2.0-or-later
#include "value_kind.h"

#include <algorithm>

#include "kparse/text.h"

namespace kparse::dissector {

namespace {

bool is_text(Bytes v) noexcept {
  const auto control = [](std::uint8_t c) { return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f; };
  if (std::any_of(v.begin(), v.end(), control)) return false;
  return plain_utf8(text(v));
}

}  // namespace

ValueKind kind_of(Bytes v) noexcept {
  if (v.empty() || !is_text(v)) return ValueKind::bytes;
  const auto blank = [](std::uint8_t c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  const auto first = std::find_if_not(v.begin(), v.end(), blank);
  const auto last = std::find_if_not(v.rbegin(), v.rend(), blank);
  if (first == v.end()) return ValueKind::text;
  const bool braces = (*first == '{' && *last == '}') || (*first == '[' && *last == ']');
  return braces && &*first != &*last ? ValueKind::json : ValueKind::text;
}

const char* ending_of(ValueKind k) noexcept {
  return k == ValueKind::json ? ".json" : k == ValueKind::text ? ".txt" : ".bin";
}

const char* content_type(ValueKind k) noexcept {
  return k == ValueKind::json ? "application/json" : k == ValueKind::text ? "text/plain" : "application/octet-stream";
}

}  // namespace kparse::dissector
