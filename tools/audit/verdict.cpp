// SPDX-License-Identifier: MIT
#include "audit/verdict.h"

#include <algorithm>

#include <fmt/format.h>

#include "kparse/releases.h"

namespace kparse::audit {
namespace {

constexpr std::int16_t key_api_versions = 18;

/// Clients do without these where a broker doesn't have them: DescribeCluster and DescribeTopicPartitions (Metadata in
/// their place), GetTelemetrySubscriptions, PushTelemetry.
constexpr bool dispensable(std::int16_t key) noexcept { return key == 60 || key == 71 || key == 72 || key == 75; }

std::optional<std::size_t> first_from(const Api& api, std::size_t from, auto test) noexcept {
  for (std::size_t r = from; r < releases().size(); ++r)
    if (test(support(api, r).stable)) return r;
  return std::nullopt;
}

/// The first release after one that took the version which doesn't.
std::optional<std::size_t> first_refusing(const Api& api, int version) noexcept {
  const auto taken = first_from(api, 0, [&](Versions v) { return v.has(version); });
  return first_from(api, taken.value_or(0), [&](Versions v) { return v.empty() ? taken.has_value() : v.lo > version; });
}

}  // namespace

std::string_view name_of(Verdict v) noexcept {
  switch (v) {
    case Verdict::ok: return "ok";
    case Verdict::unknown: return "unknown";
    case Verdict::refused: break;
  }
  return "refused";
}

std::string_view line_of(std::size_t release) noexcept {
  const std::string_view name = releases()[release];
  if (name.starts_with("0.")) return name;
  return name.substr(0, name.find_first_of(".-", name.find('.') + 1));
}

std::span<const std::size_t> judged_releases() {
  static const std::vector<std::size_t> all = [] {
    std::vector<std::size_t> v;
    const std::size_t first = find_release("3.0").value_or(0), last = current_release();
    for (std::size_t r = first; r <= last; ++r) v.push_back(r);
    return v;
  }();
  return all;
}

Judged judge(const Call& call, bool negotiates, std::size_t release) noexcept {
  const Api* api = find_api(call.api_key);
  if (!api) return {.verdict = Verdict::unknown, .reason = Reason::not_known, .since = std::nullopt};
  // An ApiVersions that is too new is answered in version 0 (KIP-511); version 0 is never dropped.
  if (call.api_key == key_api_versions) return {};
  const Versions takes = support(*api, release).stable;
  const int version = call.version;
  if (takes.empty()) {
    const auto had = first_from(*api, 0, [](Versions v) { return !v.empty(); });
    if (!had) return {.verdict = Verdict::unknown, .reason = Reason::not_known, .since = std::nullopt};
    if (*had < release)
      return {.verdict = Verdict::refused, .reason = Reason::api_gone, .since = first_refusing(*api, version)};
    if (negotiates && dispensable(api->key)) return {};
    return {.verdict = Verdict::refused, .reason = Reason::api_missing, .since = had};
  }
  if (version < takes.lo) {
    const auto since = first_refusing(*api, version);
    if (negotiates && call.brokers_limit)
      return {.verdict = Verdict::unknown, .reason = Reason::brokers_limit, .since = since};
    return {.verdict = Verdict::refused, .reason = Reason::too_old, .since = since};
  }
  if (version > takes.hi && !negotiates) {
    const auto since = first_from(*api, release, [&](Versions v) { return v.has(version); });
    if (!since) return {.verdict = Verdict::unknown, .reason = Reason::not_known, .since = std::nullopt};
    return {.verdict = Verdict::refused, .reason = Reason::too_new, .since = since};
  }
  return {};
}

std::string reason_text(const Call& call, const Judged& judged, std::size_t release) {
  const Api* api = find_api(call.api_key);
  const auto since = judged.since ? line_of(*judged.since) : std::string_view("?");
  switch (judged.reason) {
    case Reason::none: break;
    case Reason::too_old:
      return fmt::format("{}{} takes v{} and later", line_of(release), since == line_of(release) ? "" : fmt::format(", like {} and all after it,", since),
                         support(*api, release).stable.lo);
    case Reason::api_gone: return fmt::format("gone with {}", since);
    case Reason::api_missing: return fmt::format("{} doesn't have it; {} does", line_of(release), since);
    case Reason::too_new: return fmt::format("{} takes at most v{}, and the client doesn't ask", line_of(release), support(*api, release).stable.hi);
    case Reason::brokers_limit: return "the broker here takes no later version: the client may speak one";
    case Reason::not_known: return "newer than this program's tables";
  }
  return {};
}

}  // namespace kparse::audit
