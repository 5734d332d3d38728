// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "output/human.h"
#include "report/json_parts.h"
#include "report/report.h"
#include "report/text_parts.h"

namespace kparse::report {
namespace {

using cli::human_count;
using cli::Style;

template <class Key>
std::vector<std::pair<Key, std::uint64_t>> sorted(const absl::flat_hash_map<Key, std::uint64_t>& counts) {
  std::vector<std::pair<Key, std::uint64_t>> out(counts.begin(), counts.end());
  std::sort(out.begin(), out.end());
  return out;
}

std::string api_name(const ApiRow& a) { return a.api ? std::string(a.api->name) : fmt::format("API key {}", a.key); }

/// "v13 ×12,600 · v3 ×18", most used first; the count is left out where there is just one version.
std::string versions_shown(const ApiRow& a) {
  auto versions = sorted(a.versions);
  std::stable_sort(versions.begin(), versions.end(), [](const auto& x, const auto& y) { return x.second > y.second; });
  std::string out;
  constexpr std::size_t most = 3;
  for (std::size_t i = 0; i < std::min(most, versions.size()); ++i) {
    if (i > 0) out += " · ";
    out += fmt::format("v{}", versions[i].first);
    if (versions.size() > 1) out += " ×" + human_count(versions[i].second);
  }
  if (versions.size() > most) out += fmt::format(" · {} more", versions.size() - most);
  return out;
}

/// Answers whose first byte came well before the last.
bool slow_to_finish(const ApiRow& a) {
  if (a.own_latency.count() == 0) return false;
  const std::int64_t last = a.own_latency.percentile(99), first = a.first_byte.percentile(99);
  return last - first > last / 10 && last - first > 1'000'000;
}

std::vector<std::string> remarks(const ApiRow& a) {
  std::vector<std::string> out;
  if (a.long_polls > 0) out.push_back(fmt::format("* {} waited for data in vain: left out of p50 to max", human_count(a.long_polls)));
  if (a.no_answer_due > 0) out.push_back(fmt::format("{} with acks=0", human_count(a.no_answer_due)));
  if (slow_to_finish(a)) {
    out.push_back(fmt::format("first byte after {} (p50), {} (p99)", brief_percentile(a.first_byte, 50), brief_percentile(a.first_byte, 99)));
  }
  return out;
}

}  // namespace

void json_apis(JsonWriter& json, const Report& r) {
  json.begin_array();
  for (const ApiRow* a : r.data.apis.sorted()) {
    json.begin_object();
    json.key("apiKey");
    json.integer(a->key);
    text_or_null(json, "api", a->api ? a->api->name : std::string_view());
    count(json, "requests", a->requests);
    count(json, "responses", a->responses);
    count(json, "unanswered", a->unanswered());
    json.key("versions");
    json.begin_object();
    for (const auto& [version, n] : sorted(a->versions)) count(json, std::to_string(version), n);
    json.end_object();
    json.key("errors");
    json.begin_object();
    for (const auto& [code, n] : sorted(a->errors)) {
      const std::string_view name = error_name(code);
      count(json, name.empty() ? std::to_string(code) : std::string(name), n);
    }
    json.end_object();
    count(json, "failed", a->failed);
    count(json, "requestBytes", a->request_bytes);
    count(json, "responseBytes", a->response_bytes);
    percentiles(json, "latencyMs", a->latency, 1e-6);
    percentiles(json, "ownLatencyMs", a->own_latency, 1e-6);
    percentiles(json, "firstByteMs", a->first_byte, 1e-6);
    json.key("longPoll");
    json.boolean(a->long_polls > 0);
    count(json, "longPolls", a->long_polls);
    json.end_object();
  }
  json.end_array();
}

void text_apis(cli::Output& out, const cli::Painter& paint, const Report& r) {
  std::vector<const ApiRow*> rows = r.data.apis.sorted();
  if (rows.empty()) return;
  std::stable_sort(rows.begin(), rows.end(), [](const ApiRow* a, const ApiRow* b) { return a->requests > b->requests; });
  using cli::Align;
  const bool silence = std::any_of(rows.begin(), rows.end(), [](const ApiRow* a) { return a->unanswered() > 0; });
  std::vector<cli::Table::Column> columns = {{"API", Align::left, 36}, {"calls", Align::right}, {"err", Align::right}, {"p50", Align::right},
                                             {"p99", Align::right}, {"max", Align::right}, {"versions"}};
  if (silence) columns.insert(columns.begin() + 2, {"no answer", Align::right});
  cli::Table table(std::move(columns));
  for (const ApiRow* a : rows) {
    const std::string star = a->long_polls > 0 && a->own_latency.count() > 0 ? "*" : "";
    std::vector<std::string> cells = {api_name(*a), human_count(a->requests), a->failed > 0 ? paint(Style::red, human_count(a->failed)) : std::string(none),
               brief_percentile(a->own_latency, 50) + star, brief_percentile(a->own_latency, 99), brief_percentile(a->own_latency, 100),
               versions_shown(*a)};
    if (silence) cells.insert(cells.begin() + 2, a->unanswered() > 0 ? paint(Style::yellow, human_count(a->unanswered())) : std::string(none));
    table.row(std::move(cells));
  }
  out.write('\n');
  table.print(out, paint, 0);
  for (const ApiRow* a : rows) {
    const std::vector<std::string> words = remarks(*a);
    if (!words.empty()) flow(out, 0, api_name(*a) + ": ", words);
  }
}

}  // namespace kparse::report
