// SPDX-License-Identifier: MIT
#include "text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>

namespace kschema {

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> out;
  for (std::size_t from = 0;;) {
    const std::size_t to = text.find(at, from);
    out.emplace_back(text.substr(from, to == text.npos ? text.npos : to - from));
    if (to == text.npos) return out;
    from = to + 1;
  }
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> out;
  for (auto& w : split(text, ' '))
    if (!w.empty()) out.push_back(std::move(w));
  return out;
}

std::optional<long long> number(std::string_view text) {
  const std::string s(text);
  if (s.empty() || std::isspace(static_cast<unsigned char>(s[0]))) return {};
  char* end = nullptr;
  errno = 0;
  const bool hex = s.find('x') != s.npos;
  const long long v = std::strtoll(s.c_str(), &end, hex ? 16 : 10);
  if (*end || errno) return {};
  return v;
}

std::optional<Range> range(std::string_view text, int last) {
  if (text == "none") return Range{};
  if (text.empty() || !std::isdigit(static_cast<unsigned char>(text[0]))) return {};
  const auto bound = [](std::string_view t) -> std::optional<int> {
    if (t.empty() || t.size() > 5 || !std::all_of(t.begin(), t.end(), [](unsigned char c) { return std::isdigit(c); }))
      return {};
    return std::atoi(std::string(t).c_str());
  };
  if (text.back() == '+') {
    const auto lo = bound(text.substr(0, text.size() - 1));
    if (!lo) return {};
    return Range{*lo, last};
  }
  const auto dash = text.find('-');
  const auto lo = bound(text.substr(0, dash));
  const auto hi = dash == text.npos ? lo : bound(text.substr(dash + 1));
  if (!lo || !hi || *lo > *hi) return {};
  return Range{*lo, *hi};
}

std::string to_text(const Range& r, int last) {
  if (r.empty()) return "none";
  if (r.hi == last) return std::to_string(r.lo) + "+";
  if (r.lo == r.hi) return std::to_string(r.lo);
  return std::to_string(r.lo) + "-" + std::to_string(r.hi);
}

std::optional<Range> join(const Range& a, const Range& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  if (a.hi + 1 < b.lo || b.hi + 1 < a.lo) return {};
  return Range{std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

Range clip(const Range& r, const Range& to) {
  if (r.empty() || to.empty()) return {};
  const Range out{std::max(r.lo, to.lo), std::min(r.hi, to.hi)};
  return out.empty() ? Range{} : out;
}

std::string snake_case(std::string_view camel) {
  std::string in(camel), out;
  if (const auto at = in.find("KRaft"); at != in.npos) in[at + 1] = 'r';  // one word
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto c = static_cast<unsigned char>(in[i]);
    if (std::isupper(c) && i > 0) {
      const bool after_lower = !std::isupper(static_cast<unsigned char>(in[i - 1]));
      const bool before_lower = i + 1 < in.size() && std::islower(static_cast<unsigned char>(in[i + 1]));
      if (after_lower || before_lower) out += '_';
    }
    out += static_cast<char>(std::tolower(c));
  }
  return out;
}

std::string lower_first(std::string_view name) {
  std::string out(name);
  if (!out.empty()) out[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(out[0])));
  return out;
}

bool ends_with(std::string_view text, std::string_view tail) {
  return text.size() >= tail.size() && text.substr(text.size() - tail.size()) == tail;
}

bool integer_type(std::string_view t) {
  return t == "int8" || t == "int16" || t == "int32" || t == "int64" || t == "uint16" || t == "uint32";
}

bool known_type(std::string_view t) {
  return integer_type(t) || t == "bool" || t == "float64" || t == "uuid" || t == "string" || t == "bytes" ||
         t == "records" || t == "struct";
}

std::optional<std::string> normal_default(const Field& f, std::string_view text, std::string& problem) {
  if (text == "null") {
    if (!(f.nullable == f.versions)) problem = "the default is null, but the field is not nullable in all its versions";
    return "null";
  }
  if (f.array || f.type == "struct" || f.type == "bytes" || f.type == "records" || f.type == "uuid") {
    if (!text.empty()) problem = "this type's default can only be null";
    return {};
  }
  if (f.type == "string") {
    if (text.empty()) return {};
    return std::string(text);
  }
  if (f.type == "bool") {
    std::string low(text);
    std::transform(low.begin(), low.end(), low.begin(), [](unsigned char c) { return std::tolower(c); });
    if (low == "true") return low;
    if (low != "false") problem = "default '" + std::string(text) + "' is no bool";
    return {};
  }
  if (f.type == "float64") {
    char* end = nullptr;
    const std::string s(text);
    const double v = std::strtod(s.c_str(), &end);
    if (s.empty() || *end) problem = "default '" + s + "' is no float64";
    if (v == 0) return {};
    return s;
  }
  const auto v = number(text);
  struct Bounds {
    std::string_view type;
    long long lo, hi;
  };
  constexpr std::array<Bounds, 6> bounds{{{"int8", -128, 127},
                                          {"int16", -32768, 32767},
                                          {"int32", -2147483648LL, 2147483647LL},
                                          {"int64", -9223372036854775807LL - 1, 9223372036854775807LL},
                                          {"uint16", 0, 65535},
                                          {"uint32", 0, 4294967295LL}}};
  const auto b = std::find_if(bounds.begin(), bounds.end(), [&](const Bounds& x) { return x.type == f.type; });
  if (!v || b == bounds.end() || *v < b->lo || *v > b->hi) {
    problem = "default '" + std::string(text) + "' is no " + f.type;
    return {};
  }
  if (*v == 0) return {};
  return std::to_string(*v);
}

std::string layout(const std::vector<Field>& fields, int version) {
  std::string out;
  std::vector<const Field*> order;
  for (const Field& f : fields)
    if (f.versions.has(version) && !f.tagged.has(version)) order.push_back(&f);
  std::vector<const Field*> tags;
  for (const Field& f : fields)
    if (f.tagged.has(version)) tags.push_back(&f);
  std::sort(tags.begin(), tags.end(), [](const Field* a, const Field* b) { return a->tag < b->tag; });
  order.insert(order.end(), tags.begin(), tags.end());
  for (const Field* f : order) {
    if (!out.empty()) out += ',';
    if (f->tagged.has(version)) out += "@" + std::to_string(f->tag) + "=";
    out += f->name + ":";
    if (f->array) out += "[]";
    out += f->type == "struct" ? "{" + layout(f->fields, version) + "}" : f->type;
    if (f->nullable.has(version)) out += "?";
    if (f->noflex) out += "!noflex";
  }
  return out;
}

}  // namespace kschema
