// SPDX-License-Identifier: MIT
// Source: KIP-82's page, versions 28 to 30: ranges and sample entries. What its rendering runs together (2602100001)
// was split so that each number falls into a range where it makes sense.
#include "kparse/header_register.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <new>
#include <utility>

#include "headers/marks.h"

namespace kparse {

namespace {

constexpr KeyRange ranges[] = {
    {KeyScheme::signs, 0, 255, "registered with Apache, open"},
    {KeyScheme::signs, -128, -1, "registered in-house"},
    {KeyScheme::signs, INT32_MIN, -129, "in-house overflow and scratch"},
    {KeyScheme::signs, 256, INT32_MAX, "unassigned (the sample's vendors are here)"},
    {KeyScheme::classes, 0x00000000, 0x0000ffff, "Kafka, open source"},
    {KeyScheme::classes, 0x00010000, 0x000fffff, "reserved"},
    {KeyScheme::classes, 0x00100000, 0x0010ffff, "local use, infrastructure"},
    {KeyScheme::classes, 0x00110000, 0x0011ffff, "local use, client"},
    {KeyScheme::classes, 0x00120000, 0x0012ffff, "local use, stack or middleware"},
    {KeyScheme::classes, 0x00130000, 0x0013ffff, "local use, application"},
    {KeyScheme::classes, 0x00140000, 0x0014ffff, "local use, user"},
    {KeyScheme::classes, 0x00150000, 0x001fffff, "local use, reserved"},
    {KeyScheme::classes, 0x00200000, 0x0020ffff, "open use, infrastructure"},
    {KeyScheme::classes, 0x00210000, 0x0021ffff, "open use, client"},
    {KeyScheme::classes, 0x00220000, 0x0022ffff, "open use, stack or middleware"},
    {KeyScheme::classes, 0x00230000, 0x0023ffff, "open use, application"},
    {KeyScheme::classes, 0x00240000, 0x0024ffff, "open use, user"},
    {KeyScheme::classes, 0x00250000, 0x002fffff, "open use, reserved"},
    {KeyScheme::classes, 0x00300000, 0x0030ffff, "testing, infrastructure"},
    {KeyScheme::classes, 0x00310000, 0x0031ffff, "testing, client"},
    {KeyScheme::classes, 0x00320000, 0x0032ffff, "testing, stack or middleware"},
    {KeyScheme::classes, 0x00330000, 0x0033ffff, "testing, application"},
    {KeyScheme::classes, 0x00340000, 0x0034ffff, "testing, user"},
    {KeyScheme::classes, 0x00350000, 0x003fffff, "testing, reserved"},
    {KeyScheme::classes, 0x00400000, 0xffffffff, "reserved"},
};

constexpr RegisteredKey samples[] = {
    {-10, "charge.tag", "IG", "tag of whom a message is charged to", true, false},
    {-5, "app.name", "IG", "unique name of the application", true, false},
    {1, "client.id", "Kafka", "id of the client that produced the message", true, true},
    {2, "cluster.id", "Kafka", "id of the cluster where it was produced first", true, true},
    {3, "correlation.id", "Kafka", "ties messages together", true, true},
    {260, "new.relic", "New Relic", "transaction tracing", true, false},
    {451, "appdynamics", "AppDynamics", "transaction tracing", true, false},
    {1050000, "charge.tag", "IG", "tag of whom a message is charged to", false, true},
    {1114000, "app.name", "IG", "unique name of the application", false, true},
    {2100001, "new.relic", "New Relic", "transaction tracing", false, true},
    {2100002, "appdynamics", "AppDynamics", "transaction tracing", false, true},
};

constexpr std::string_view blanks = " \t\r";

/// Takes the next word away.
std::string_view word(std::string_view& rest) noexcept {
  rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
  const std::string_view out = rest.substr(0, rest.find_first_of(blanks));
  rest.remove_prefix(out.size());
  return out;
}

std::string_view trimmed(std::string_view s) noexcept {
  const auto first = s.find_first_not_of(blanks);
  return first == std::string_view::npos ? s.substr(0, 0) : s.substr(first, s.find_last_not_of(blanks) - first + 1);
}

bool parse_key(std::string_view s, std::int32_t& out) noexcept {
  const bool hex = s.starts_with("0x") || s.starts_with("0X");
  if (hex) s.remove_prefix(2);
  const char* const end = s.data() + s.size();
  if (hex) {
    std::uint32_t v = 0;
    const auto r = std::from_chars(s.data(), end, v, 16);
    out = static_cast<std::int32_t>(v);
    return !s.empty() && r.ec == std::errc{} && r.ptr == end;
  }
  const auto r = std::from_chars(s.data(), end, out);
  return !s.empty() && r.ec == std::errc{} && r.ptr == end;
}

bool by_key(const RegisteredKey& a, const RegisteredKey& b) noexcept { return a.key < b.key; }

const RegisteredKey* find(std::span<const RegisteredKey> keys, std::int32_t key) noexcept {
  const auto at = std::lower_bound(keys.begin(), keys.end(), RegisteredKey{.key = key}, by_key);
  return at == keys.end() || at->key != key ? nullptr : &*at;
}

struct Line {
  std::string_view keyword, subject, name, about;
};

/// What is wrong with a line, if anything; a line without an entry has no keyword.
HeaderRegister::Problem read_line(std::string_view text, Line& out) noexcept {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r') return {1, "a control character", {}};
  }
  out.keyword = word(text);
  if (out.keyword.empty() || out.keyword.front() == '#') {
    out.keyword = {};
    return {};
  }
  if (out.keyword != "key" && out.keyword != "header") return {1, "neither 'key' nor 'header'", out.keyword};
  const bool key = out.keyword == "key";
  out.subject = word(text);
  if (out.subject.empty()) return {1, key ? "no key after 'key'" : "no name after 'header'", out.keyword};
  std::int32_t number = 0;
  if (key && !parse_key(out.subject, number)) return {1, "not an integer of 32 bits", out.subject};
  const auto star = out.subject.find('*');
  if (!key && star != std::string_view::npos && star + 1 != out.subject.size())
    return {1, "a * anywhere but at its end", out.subject};
  out.name = word(text);
  if (out.name.empty() || out.name.front() == '#')
    return {1, key ? "no name for the key" : "no kind for the name", out.subject};
  out.about = trimmed(text);
  return {};
}

}  // namespace

std::string_view name_of(KeyScheme s) noexcept { return s == KeyScheme::signs ? "signs" : "classes"; }

std::span<const KeyRange> key_ranges() noexcept { return ranges; }

std::string_view range_of(std::int32_t key, KeyScheme scheme) noexcept {
  const std::int64_t k = scheme == KeyScheme::signs ? key : static_cast<std::int64_t>(static_cast<std::uint32_t>(key));
  for (const KeyRange& r : ranges) {
    if (r.scheme == scheme && k >= r.first && k <= r.last) return r.what;
  }
  return "reserved";
}

std::span<const RegisteredKey> sample_keys() noexcept { return samples; }

HeaderRegister::Problem HeaderRegister::parse(std::string_view text) noexcept {
  const std::size_t lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  std::unique_ptr<char[]> copy(new (std::nothrow) char[text.size() + 1]);
  std::unique_ptr<RegisteredKey[]> keys(new (std::nothrow) RegisteredKey[lines]);
  std::unique_ptr<Header[]> headers(new (std::nothrow) Header[lines]);
  if (!copy || !keys || !headers) return {1, "not enough memory", {}};
  if (!text.empty()) std::memcpy(copy.get(), text.data(), text.size());
  const auto kept = [&](std::string_view s) noexcept {
    return s.empty() ? std::string_view{} : std::string_view(copy.get() + (s.data() - text.data()), s.size());
  };

  std::size_t key_count = 0, header_count = 0, number = 0;
  for (std::size_t at = 0; at <= text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    Line line;
    Problem problem = read_line(text.substr(at, end - at), line);
    if (problem) {
      problem.line = number + 1;
      return problem;
    }
    at = end + 1;
    if (line.keyword == "header") {
      headers[header_count++] = {kept(line.subject), kept(line.name), kept(line.about)};
    } else if (line.keyword == "key") {
      RegisteredKey k{.name = kept(line.name), .about = kept(line.about)};
      (void)parse_key(line.subject, k.key);
      const auto place = std::lower_bound(keys.get(), keys.get() + key_count, k, by_key);
      if (place != keys.get() + key_count && place->key == k.key)
        return {number + 1, "a key that is registered already", line.subject};
      std::move_backward(place, keys.get() + key_count, keys.get() + key_count + 1);
      *place = k;
      ++key_count;
    }
  }
  text_ = std::move(copy);
  keys_ = std::move(keys);
  headers_ = std::move(headers);
  key_count_ = key_count;
  header_count_ = header_count;
  return {};
}

std::string_view HeaderRegister::name_of(std::int32_t key) const noexcept {
  const RegisteredKey* k = find(keys(), key);
  if (!k) k = find(samples, key);
  return k ? k->name : std::string_view{};
}

std::string_view HeaderRegister::name_of(std::string_view digits) const noexcept {
  std::int32_t key = 0;
  const auto r = std::from_chars(digits.data(), digits.data() + digits.size(), key);
  return r.ec == std::errc{} && r.ptr == digits.data() + digits.size() ? name_of(key) : std::string_view{};
}

std::string_view HeaderRegister::kind_of(std::string_view name) const noexcept {
  for (const Header& h : headers()) {
    if (fits_pattern(name, h.pattern)) return h.kind;
  }
  const HeaderConvention* const c = find_header_convention(name);
  return c ? kparse::name_of(c->carrier) : std::string_view{};
}

}  // namespace kparse
