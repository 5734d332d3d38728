// SPDX-License-Identifier: MIT
#include "encode/scalar.h"

#include <array>
#include <charconv>
#include <limits>

namespace kparse {
namespace {

template <class T>
constexpr IntegerRange whole_range{std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};

/// Value of a letter, 64 for all others.
constexpr std::array<std::uint8_t, 256> letters(char c62, char c63) {
  std::array<std::uint8_t, 256> table{};
  for (auto& v : table) v = 64;
  for (int i = 0; i < 26; ++i) {
    table[static_cast<std::size_t>('A' + i)] = static_cast<std::uint8_t>(i);
    table[static_cast<std::size_t>('a' + i)] = static_cast<std::uint8_t>(26 + i);
  }
  for (int i = 0; i < 10; ++i) table[static_cast<std::size_t>('0' + i)] = static_cast<std::uint8_t>(52 + i);
  table[static_cast<std::size_t>(c62)] = 62;
  table[static_cast<std::size_t>(c63)] = 63;
  return table;
}
constexpr auto standard_letters = letters('+', '/'), url_letters = letters('-', '_');

/// `text` without padding.
bool decode(std::string_view text, const std::array<std::uint8_t, 256>& table, std::uint8_t* to) noexcept {
  std::uint32_t bits = 0, wrong = 0;
  std::size_t n = 0;
  for (const char c : text) {
    const std::uint8_t v = table[static_cast<std::uint8_t>(c)];
    wrong |= v & 64u;
    bits = bits << 6 | (v & 63u);
    if (n % 4 == 1) *to++ = static_cast<std::uint8_t>(bits >> 4);
    if (n % 4 == 2) *to++ = static_cast<std::uint8_t>(bits >> 2);
    if (n % 4 == 3) *to++ = static_cast<std::uint8_t>(bits);
    ++n;
  }
  return wrong == 0;
}

std::string_view without_padding(std::string_view text) noexcept {
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  return text;
}

std::optional<std::int64_t> decode_integer(std::string_view text) noexcept {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.starts_with('#')) {
    base = 16;
    text.remove_prefix(1);
  } else if (text.starts_with('0') && text.size() > 1) {
    base = 8;
    text.remove_prefix(1);
  }
  std::uint64_t v = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v, base);
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (error != std::errc{} || end != text.data() + text.size() || v > most + (negative ? 1 : 0)) return std::nullopt;
  return static_cast<std::int64_t>(negative ? 0 - v : v);
}

}  // namespace

IntegerRange range_of(Type t) noexcept {
  switch (t) {
    case Type::int8:
      return whole_range<std::int8_t>;
    case Type::int16:
      return whole_range<std::int16_t>;
    case Type::uint16:
      return whole_range<std::uint16_t>;
    case Type::int32:
      return whole_range<std::int32_t>;
    case Type::uint32:
      return whole_range<std::uint32_t>;
    default:
      return whole_range<std::int64_t>;
  }
}

bool is_integer(Type t) noexcept {
  return t == Type::int8 || t == Type::int16 || t == Type::uint16 || t == Type::int32 || t == Type::uint32 ||
         t == Type::int64;
}

std::optional<std::int64_t> integer_of(const Value& v) noexcept {
  if (v.kind == Value::Kind::integer) return v.integer;
  if (v.kind == Value::Kind::string) return decode_integer(text(v.data));
  return std::nullopt;
}

std::optional<double> float_of(const Value& v) noexcept {
  if (v.kind == Value::Kind::real) return v.real;
  if (v.kind == Value::Kind::integer) return static_cast<double>(v.integer);
  if (v.kind != Value::Kind::string) return std::nullopt;
  const std::string_view t = text(v.data);
  if (t == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (t == "Infinity") return std::numeric_limits<double>::infinity();
  if (t == "-Infinity") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

std::optional<std::size_t> base64_size(std::string_view t) noexcept {
  if (t.size() % 4 != 0) return std::nullopt;
  return t.size() / 4 * 3 - (t.size() - without_padding(t).size());
}

bool base64_decode(std::string_view t, std::uint8_t* to) noexcept {
  return decode(without_padding(t), standard_letters, to);
}

bool uuid_decode(std::string_view t, std::uint8_t to[16]) noexcept {
  if (t.size() == 24) t = without_padding(t);
  return t.size() == 22 && decode(t, url_letters, to);
}

}  // namespace kparse
