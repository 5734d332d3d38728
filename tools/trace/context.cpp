// SPDX-License-Identifier: MIT
// Sources: W3C Trace Context; openzipkin/b3-propagation; Jaeger's client libraries documentation; Datadog's, AWS
// X-Ray's and SkyWalking's (cross process propagation headers v3) documentation.
#include "trace/context.h"

#include <algorithm>
#include <cctype>

#include "kparse/carriers.h"

namespace kparse::trace {
namespace {

bool same_name(std::string_view name, std::string_view lower) noexcept {
  return std::equal(name.begin(), name.end(), lower.begin(), lower.end(),
                    [](unsigned char a, char b) { return std::tolower(a) == b; });
}

bool is_hex(std::string_view s) noexcept {
  return !s.empty() && std::all_of(s.begin(), s.end(), [](unsigned char c) { return std::isxdigit(c); });
}
bool is_zero(std::string_view s) noexcept { return s.find_first_not_of('0') == s.npos; }
bool is_id(std::string_view s, std::size_t short_size, std::size_t long_size) noexcept {
  return (s.size() == short_size || s.size() == long_size) && is_hex(s) && !is_zero(s);
}

std::string lower(std::string_view s) {
  std::string out(s);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string_view up_to(std::string_view& rest, char end) noexcept {
  const auto at = std::min(rest.find(end), rest.size());
  const std::string_view part = rest.substr(0, at);
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return part;
}

/// The trace id of one header, "" when it isn't valid.
std::string id_in(std::string_view name, Bytes value) {
  std::string_view v = text(value);
  if (same_name(name, "traceparent") || same_name(name, "elastic-apm-traceparent") ||
      same_name(name, "elasticapmtraceparent"))
    return valid_traceparent(value) ? std::string(v.substr(3, 32)) : std::string();
  if (same_name(name, "b3")) {
    const std::string_view id = up_to(v, '-'), span = up_to(v, '-');
    return is_id(id, 16, 32) && is_id(span, 16, 16) ? lower(id) : std::string();
  }
  if (same_name(name, "x-b3-traceid")) return is_id(v, 16, 32) ? lower(v) : std::string();
  if (same_name(name, "uber-trace-id")) {
    // The parts may be short of leading zeros; the colons may be URL-encoded.
    std::string plain(v);
    for (std::size_t at; (at = plain.find("%3A")) != plain.npos || (at = plain.find("%3a")) != plain.npos;)
      plain.replace(at, 3, ":");
    std::string_view rest = plain;
    const std::string_view id = up_to(rest, ':'), span = up_to(rest, ':'), parent = up_to(rest, ':');
    const bool ok = id.size() <= 32 && is_hex(id) && !is_zero(id) && span.size() <= 16 && is_hex(span) &&
                    is_hex(parent) && is_hex(rest);
    return ok ? lower(id) : std::string();
  }
  if (same_name(name, "x-datadog-trace-id")) {
    const bool ok = !v.empty() && v.size() <= 20 && !is_zero(v) &&
                    std::all_of(v.begin(), v.end(), [](unsigned char c) { return std::isdigit(c); });
    return ok ? std::string(v) : std::string();
  }
  if (same_name(name, "x-amzn-trace-id")) {
    const auto at = v.find("Root=1-");
    if (at == v.npos || v.size() < at + 7 + 33) return {};
    const std::string_view time = v.substr(at + 7, 8), id = v.substr(at + 16, 24);
    return is_hex(time) && v[at + 15] == '-' && is_hex(id) ? lower(time) + lower(id) : std::string();
  }
  if (same_name(name, "sw8")) {
    const std::string_view sampled = up_to(v, '-'), id = up_to(v, '-');
    const bool parts = std::count(v.begin(), v.end(), '-') == 5;
    return (sampled == "0" || sampled == "1") && !id.empty() && parts ? std::string(id) : std::string();
  }
  return {};
}

bool holds_context(std::string_view name) noexcept {
  constexpr std::string_view names[] = {
      "traceparent",   "elastic-apm-traceparent", "elasticapmtraceparent", "b3", "x-b3-traceid",
      "uber-trace-id", "x-datadog-trace-id",      "x-amzn-trace-id",       "sw8"};
  return std::any_of(std::begin(names), std::end(names), [&](std::string_view n) { return same_name(name, n); });
}

}  // namespace

Context context_of(const Record& r) {
  Context c;
  HeaderReader headers(r);
  for (RecordHeader h; headers.next(h);) {
    if (h.name.empty() || h.name.size() > 32 || !holds_context(h.name)) continue;
    c.any = true;
    if (c.valid || h.value.size() > 512) continue;
    c.id = id_in(h.name, h.value);
    c.valid = !c.id.empty();
  }
  return c;
}

}  // namespace kparse::trace
