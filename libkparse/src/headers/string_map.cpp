// SPDX-License-Identifier: MIT
// Source: the Avro specification (maps, zigzag longs), RFC 8259, RFC 3986 (percent signs).
#include <array>
#include <cstring>

#include "headers/json_scan.h"
#include "kparse/varint.h"
#include "kparse/wrappers.h"

namespace kparse {

namespace {

bool token(std::uint8_t c) noexcept {
  return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || (c != 0 && std::strchr("._-:%+~*/@", c));
}

/// One long at the start of `rest`.
bool avro_long(Bytes& rest, std::int64_t& out) noexcept {
  const std::uint8_t* const next = read_varlong(rest.data(), rest.data() + rest.size(), out);
  if (!next) return false;
  rest = rest.subspan(static_cast<std::size_t>(next - rest.data()));
  return true;
}

bool avro_string(Bytes& rest, std::string_view& out) noexcept {
  std::int64_t length = 0;
  if (!avro_long(rest, length) || length < 0 || static_cast<std::uint64_t>(length) > rest.size()) return false;
  out = text(rest.first(static_cast<std::size_t>(length)));
  rest = rest.subspan(static_cast<std::size_t>(length));
  return true;
}

/// Opens the next block; false: broken. `left` 0: the map ends here.
bool avro_block(Bytes& rest, std::int64_t& left) noexcept {
  if (!avro_long(rest, left)) return false;
  if (left >= 0) return true;
  std::int64_t bytes = 0;
  if (left == INT64_MIN || !avro_long(rest, bytes)) return false;
  left = -left;
  return true;
}

int hex(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  c = static_cast<char>(c | 32);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

void utf8(std::uint32_t c, Writer& out) noexcept {
  const auto put = [&out](std::uint32_t b) { out.be(static_cast<std::uint8_t>(b)); };
  if (c < 0x80) return put(c);
  if (c < 0x800) {
    put(0xc0 | c >> 6);
  } else {
    if (c < 0x10000) {
      put(0xe0 | c >> 12);
    } else {
      put(0xf0 | c >> 18);
      put(0x80 | (c >> 12 & 0x3f));
    }
    put(0x80 | (c >> 6 & 0x3f));
  }
  put(0x80 | (c & 0x3f));
}

/// Four digits; the text was checked.
std::uint32_t unit(std::string_view digits) noexcept {
  std::uint32_t v = 0;
  for (std::size_t i = 0; i < 4 && i < digits.size(); ++i) v = v << 4 | static_cast<std::uint32_t>(hex(digits[i]) & 15);
  return v;
}

/// `u` and what follows it; returns how much of that it took.
std::size_t json_unicode(std::string_view rest, Writer& out) noexcept {
  std::uint32_t c = unit(rest);
  if (c >= 0xd800 && c < 0xdc00 && rest.size() >= 10 && rest[4] == '\\' && rest[5] == 'u') {
    const std::uint32_t low = unit(rest.substr(6));
    if (low >= 0xdc00 && low < 0xe000) {
      utf8(0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00), out);
      return 10;
    }
  }
  if (c >= 0xd800 && c < 0xe000) c = 0xfffd;
  utf8(c, out);
  return 4;
}

void json_text(std::string_view s, Writer& out) noexcept {
  out.be(std::uint8_t{'"'});
  for (const char c : s) {
    if (c == '"' || c == '\\') {
      out.be(std::uint8_t{'\\'});
      out.be(static_cast<std::uint8_t>(c));
    } else if (static_cast<unsigned char>(c) < 0x20) {
      static constexpr char digits[] = "0123456789abcdef";
      const char escaped[6] = {'\\', 'u', '0', '0', digits[c >> 4 & 15], digits[c & 15]};
      out.text({escaped, sizeof escaped});
    } else {
      out.be(static_cast<std::uint8_t>(c));
    }
  }
  out.be(std::uint8_t{'"'});
}

void percent_text(std::string_view s, Writer& out) noexcept {
  for (const char c : s) {
    const auto b = static_cast<std::uint8_t>(c);
    if (token(b) && b != '%' && b != '+') {
      out.be(b);
      continue;
    }
    static constexpr char digits[] = "0123456789ABCDEF";
    const char escaped[3] = {'%', digits[b >> 4], digits[b & 15]};
    out.text({escaped, sizeof escaped});
  }
}

void avro_text(std::string_view s, Writer& out) noexcept {
  out.varlong(static_cast<std::int64_t>(s.size()));
  out.text(s);
}

}  // namespace

std::string_view name_of(MapForm f) noexcept {
  static constexpr std::array<std::string_view, 4> names{"none", "pairs", "json", "avro"};
  return names[static_cast<std::size_t>(f)];
}

StringMap::StringMap(Bytes b) noexcept : all_(b), rest_(b) {
  if (b.empty()) return;
  const std::uint8_t* const first = skip_json_blanks(b.data(), b.data() + b.size());
  const bool object = first != b.data() + b.size() && *first == '{';
  for (const MapForm form : {object ? MapForm::json : MapForm::avro, object ? MapForm::none : MapForm::pairs}) {
    if (form == MapForm::none) break;
    form_ = form;
    rest_ = all_;
    block_ = 0;
    StringMapEntry e;
    std::int32_t n = 0;
    while (n < INT32_MAX && step(e)) ++n;
    if (whole_) {
      size_ = n;
      rest_ = all_;
      block_ = 0;
      return;
    }
  }
  form_ = MapForm::none;
  rest_ = {};
}

bool StringMap::next(StringMapEntry& out) noexcept { return form_ != MapForm::none && step(out); }

bool StringMap::step(StringMapEntry& out) noexcept {
  whole_ = false;
  out = {};
  if (form_ == MapForm::pairs && rest_.data() && rest_.empty()) whole_ = true;
  if (rest_.empty()) return false;
  if (form_ == MapForm::avro) {
    if (block_ == 0 && !avro_block(rest_, block_)) return rest_ = {}, false;
    if (block_ == 0) {
      whole_ = rest_.empty();
      rest_ = {};
      return false;
    }
    --block_;
    if (!avro_string(rest_, out.name) || !avro_string(rest_, out.value) || rest_.empty()) return rest_ = {}, false;
    return true;
  }
  if (form_ == MapForm::json) {
    JsonMember m;
    JsonMembers members = rest_.data() == all_.data() ? JsonMembers(rest_) : JsonMembers::resumed(rest_);
    if (!members.next(m)) {
      whole_ = members.ok();
      rest_ = {};
      return false;
    }
    out.name = m.name;
    out.null = m.value == "null";
    if (!out.null && m.value.front() != '"') return rest_ = {}, false;
    if (!out.null) out.value = m.value.substr(1, m.value.size() - 2);
    rest_ = members.rest();
    return true;
  }
  std::size_t end = 0, equals = 0;
  const auto* p = rest_.data();
  while (end < rest_.size() && p[end] != '&') {
    if (p[end] == '=' && equals == 0) {
      equals = end;
    } else if (!token(p[end])) {
      return rest_ = {}, false;
    }
    ++end;
  }
  if (equals == 0) return rest_ = {}, false;  // a name must be there
  out.name = text(rest_.first(equals));
  out.value = text(rest_.subspan(equals + 1, end - equals - 1));
  if (end + 1 == rest_.size()) return rest_ = {}, false;
  rest_ = end == rest_.size() ? rest_.last(0) : rest_.subspan(end + 1);
  return true;
}

void unescape(std::string_view s, MapForm form, Writer& out) noexcept {
  for (std::size_t i = 0; i < s.size(); ++i) {
    const char c = s[i];
    if (form == MapForm::json && c == '\\' && i + 1 < s.size()) {
      const char e = s[++i];
      if (e == 'u') {
        i += json_unicode(s.substr(i + 1), out);
      } else {
        static constexpr std::string_view from = "bfnrt", to = "\b\f\n\r\t";
        const auto at = from.find(e);
        out.be(static_cast<std::uint8_t>(at == std::string_view::npos ? e : to[at]));
      }
    } else if (form == MapForm::pairs && c == '%' && i + 2 < s.size() && hex(s[i + 1]) >= 0 && hex(s[i + 2]) >= 0) {
      out.be(static_cast<std::uint8_t>(hex(s[i + 1]) << 4 | hex(s[i + 2])));
      i += 2;
    } else {
      out.be(static_cast<std::uint8_t>(c));
    }
  }
}

void write_string_map(MapForm form, std::span<const std::pair<std::string_view, std::string_view>> entries,
                      Writer& out) noexcept {
  if (form == MapForm::json) out.be(std::uint8_t{'{'});
  if (form == MapForm::avro && !entries.empty()) out.varlong(static_cast<std::int64_t>(entries.size()));
  bool first = true;
  for (const auto& [name, value] : entries) {
    if (form == MapForm::avro) {
      avro_text(name, out);
      avro_text(value, out);
    } else if (form == MapForm::json) {
      if (!first) out.be(std::uint8_t{','});
      json_text(name, out);
      out.be(std::uint8_t{':'});
      json_text(value, out);
    } else {
      if (!first) out.be(std::uint8_t{'&'});
      percent_text(name, out);
      out.be(std::uint8_t{'='});
      percent_text(value, out);
    }
    first = false;
  }
  if (form == MapForm::json) out.be(std::uint8_t{'}'});
  if (form == MapForm::avro) out.varlong(0);
}

}  // namespace kparse
