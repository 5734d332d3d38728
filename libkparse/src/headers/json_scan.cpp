// SPDX-License-Identifier: MIT
#include "headers/json_scan.h"

#include <cstring>

namespace kparse {

namespace {

using Pointer = const std::uint8_t*;

bool digit(std::uint8_t c) noexcept { return c >= '0' && c <= '9'; }
bool hex(std::uint8_t c) noexcept { return digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f'); }

/// From the opening quote on.
Pointer skip_string(Pointer at, Pointer end) noexcept {
  if (at == end || *at != '"') return nullptr;
  for (++at; at < end; ++at) {
    if (*at == '"') return at + 1;
    if (*at < 0x20) return nullptr;
    if (*at != '\\') continue;
    if (++at == end) return nullptr;
    if (*at == 'u') {
      if (end - at < 5 || !hex(at[1]) || !hex(at[2]) || !hex(at[3]) || !hex(at[4])) return nullptr;
      at += 4;
    } else if (*at == 0 || !std::strchr("\"\\/bfnrt", *at)) {
      return nullptr;
    }
  }
  return nullptr;
}

Pointer skip_digits(Pointer at, Pointer end) noexcept {
  if (at == end || !digit(*at)) return nullptr;
  while (at < end && digit(*at)) ++at;
  return at;
}

Pointer skip_number(Pointer at, Pointer end) noexcept {
  if (at < end && *at == '-') ++at;
  if (at < end && *at == '0') {
    ++at;
  } else if (!(at = skip_digits(at, end))) {
    return nullptr;
  }
  if (at < end && *at == '.' && !(at = skip_digits(at + 1, end))) return nullptr;
  if (at < end && (*at | 32) == 'e') {
    ++at;
    if (at < end && (*at == '+' || *at == '-')) ++at;
    return skip_digits(at, end);
  }
  return at;
}

Pointer skip_word(Pointer at, Pointer end, std::string_view word) noexcept {
  if (static_cast<std::size_t>(end - at) < word.size() || std::memcmp(at, word.data(), word.size()) != 0)
    return nullptr;
  return at + word.size();
}

/// Array or object, from its bracket on.
Pointer skip_nested(Pointer at, Pointer end, int depth) noexcept {
  const bool object = *at == '{';
  const std::uint8_t close = object ? '}' : ']';
  at = skip_json_blanks(at + 1, end);
  if (at < end && *at == close) return at + 1;
  while (true) {
    if (object) {
      at = skip_string(skip_json_blanks(at, end), end);
      if (!at) return nullptr;
      at = skip_json_blanks(at, end);
      if (at == end || *at++ != ':') return nullptr;
    }
    if (!(at = skip_json(at, end, depth + 1))) return nullptr;
    at = skip_json_blanks(at, end);
    if (at == end) return nullptr;
    if (*at == close) return at + 1;
    if (*at++ != ',') return nullptr;
  }
}

}  // namespace

const std::uint8_t* skip_json_blanks(const std::uint8_t* at, const std::uint8_t* end) noexcept {
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) ++at;
  return at;
}

const std::uint8_t* skip_json(const std::uint8_t* at, const std::uint8_t* end, int depth) noexcept {
  at = skip_json_blanks(at, end);
  if (at == end || depth > max_json_depth) return nullptr;
  switch (*at) {
    case '"':
      return skip_string(at, end);
    case '{':
    case '[':
      return skip_nested(at, end, depth);
    case 't':
      return skip_word(at, end, "true");
    case 'f':
      return skip_word(at, end, "false");
    case 'n':
      return skip_word(at, end, "null");
    default:
      return skip_number(at, end);
  }
}

bool is_json(Bytes b) noexcept {
  if (b.empty()) return false;
  const std::uint8_t* const end = b.data() + b.size();
  const std::uint8_t* const at = skip_json(b.data(), end);
  return at && skip_json_blanks(at, end) == end;
}

JsonMembers::JsonMembers(Bytes b) noexcept : at_(b.data()), end_(b.data() + b.size()) {
  at_ = skip_json_blanks(at_, end_);
  if (at_ == end_ || *at_ != '{') {
    at_ = end_ = nullptr;
    return;
  }
  ++at_;
}

JsonMembers JsonMembers::resumed(Bytes rest) noexcept {
  JsonMembers m;
  m.at_ = rest.data();
  m.end_ = rest.data() + rest.size();
  m.first_ = false;
  return m;
}

bool JsonMembers::next(JsonMember& out) noexcept {
  if (!at_) return false;
  const std::uint8_t* at = skip_json_blanks(at_, end_);
  at_ = nullptr;  // unless all is well
  if (at == end_) return false;
  if (*at == '}') {
    ok_ = skip_json_blanks(at + 1, end_) == end_;
    return false;
  }
  if (!first_) {
    if (*at != ',') return false;
    at = skip_json_blanks(at + 1, end_);
  }
  const std::uint8_t* const name = at;
  if (!(at = skip_string(at, end_))) return false;
  out.name = text({name + 1, static_cast<std::size_t>(at - name) - 2});
  at = skip_json_blanks(at, end_);
  if (at == end_ || *at != ':') return false;
  const std::uint8_t* const value = skip_json_blanks(at + 1, end_);
  if (!(at = skip_json(value, end_, 1))) return false;
  out.value = text({value, static_cast<std::size_t>(at - value)});
  first_ = false;
  at_ = at;
  return true;
}

}  // namespace kparse
