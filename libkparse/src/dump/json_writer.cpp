// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "kparse/json.h"

namespace kparse {
namespace {

constexpr char base64_letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr char url_letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr char hex_digits[] = "0123456789abcdef";

char* encode_triples(const std::uint8_t* at, std::size_t triples, const char* letters, char* out) noexcept {
  for (; triples > 0; --triples, at += 3) {
    const std::uint32_t v = std::uint32_t{at[0]} << 16 | std::uint32_t{at[1]} << 8 | at[2];
    *out++ = letters[v >> 18];
    *out++ = letters[v >> 12 & 63];
    *out++ = letters[v >> 6 & 63];
    *out++ = letters[v & 63];
  }
  return out;
}

}  // namespace

JsonWriter::~JsonWriter() { std::free(data_); }

JsonWriter::JsonWriter(JsonWriter&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)),
      failed_(std::exchange(other.failed_, false)) {}

JsonWriter& JsonWriter::operator=(JsonWriter&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
  std::swap(failed_, other.failed_);
  return *this;
}

bool JsonWriter::grow(std::size_t n) noexcept {
  const std::size_t wanted = std::max({std::size_t{4096}, size_ + n, capacity_ * 2});
  auto* bigger = failed_ ? nullptr : static_cast<char*>(std::realloc(data_, wanted));
  if (!bigger) {
    failed_ = true;
    return false;
  }
  data_ = bigger;
  capacity_ = wanted;
  return true;
}

void JsonWriter::shrink(std::size_t keep) noexcept {
  if (capacity_ <= keep || size_ > keep) return;
  if (auto* smaller = static_cast<char*>(std::realloc(data_, keep))) {
    data_ = smaller;
    capacity_ = keep;
  }
}

void JsonWriter::append(std::string_view text) noexcept {
  if (text.empty() || !room(text.size())) return;
  std::memcpy(data_ + size_, text.data(), text.size());
  size_ += text.size();
}

std::ptrdiff_t JsonWriter::replace(std::size_t from, std::size_t to, std::string_view string) noexcept {
  const std::size_t length = string.size() + 2, tail = size_ - to;
  if (!room(length)) return 0;
  std::memmove(data_ + from + length, data_ + to, tail);
  data_[from] = '"';
  std::memcpy(data_ + from + 1, string.data(), string.size());
  data_[from + length - 1] = '"';
  size_ = from + length + tail;
  return static_cast<std::ptrdiff_t>(length) - static_cast<std::ptrdiff_t>(to - from);
}

void JsonWriter::literal(std::string_view text) noexcept {
  comma();
  append(text);
}

void JsonWriter::key(std::string_view name, std::string_view suffix) noexcept {
  comma();
  put('"');
  append(name);
  append(suffix);
  append("\":");
}

void JsonWriter::escaped_key(std::string_view name) noexcept {
  (void)string(name);
  put(':');
}

void JsonWriter::integer(std::int64_t v) noexcept {
  constexpr std::size_t longest = 20;
  if (!room(longest + 1)) return;
  comma();
  size_ = static_cast<std::size_t>(std::to_chars(data_ + size_, data_ + size_ + longest, v).ptr - data_);
}

void JsonWriter::unsigned_integer(std::uint64_t v) noexcept {
  constexpr std::size_t longest = 20;
  if (!room(longest + 1)) return;
  comma();
  size_ = static_cast<std::size_t>(std::to_chars(data_ + size_, data_ + size_ + longest, v).ptr - data_);
}

void JsonWriter::float64(double v) noexcept {
  if (std::isnan(v)) return literal("\"NaN\"");
  if (std::isinf(v)) return literal(v > 0 ? "\"Infinity\"" : "\"-Infinity\"");
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, v).ptr;
  const std::string_view number(text, static_cast<std::size_t>(end - text));
  literal(number);
  if (number.find_first_of(".e") == std::string_view::npos) append(".0");
}

void JsonWriter::base64(Bytes b) noexcept {
  comma();
  if (!room((b.size() + 2) / 3 * 4 + 2)) return;
  char* out = data_ + size_;
  *out++ = '"';
  const std::size_t triples = b.size() / 3, rest = b.size() % 3;
  out = encode_triples(b.data(), triples, base64_letters, out);
  if (rest > 0) {
    std::uint8_t last[3] = {};
    std::memcpy(last, b.data() + triples * 3, rest);
    out = encode_triples(last, 1, base64_letters, out);
    out[-1] = '=';
    if (rest == 1) out[-2] = '=';
  }
  *out++ = '"';
  size_ = static_cast<std::size_t>(out - data_);
}

void JsonWriter::hex(Bytes b) noexcept {
  comma();
  if (!room(b.size() * 2 + 2)) return;
  char* out = data_ + size_;
  *out++ = '"';
  for (const std::uint8_t v : b) {
    *out++ = hex_digits[v >> 4];
    *out++ = hex_digits[v & 15];
  }
  *out++ = '"';
  size_ = static_cast<std::size_t>(out - data_);
}

void JsonWriter::uuid(const std::uint8_t* id) noexcept {
  comma();
  if (!room(26)) return;
  char* out = data_ + size_;
  *out++ = '"';
  out = encode_triples(id, 5, url_letters, out);
  const std::uint8_t last[3] = {id[15], 0, 0};
  out = encode_triples(last, 1, url_letters, out) - 2;
  *out++ = '"';
  size_ = static_cast<std::size_t>(out - data_);
}

void JsonWriter::raw(std::string_view json) noexcept {
  comma();
  append(json);
}

}  // namespace kparse
