// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "kparse/carriers.h"
#include "output/human.h"
#include "report/json_parts.h"
#include "report/report.h"
#include "report/text_parts.h"

namespace kparse::report {
namespace {

using cli::human_count;
using cli::Style;

/// "98.2 %" of so many records; a count where that is more than there are: names that only look the same.
std::string share(std::uint64_t n, std::uint64_t records) {
  if (records == 0 || n > records) return "×" + human_count(n);
  if (n == records) return "100 %";
  const double percent = 100.0 * static_cast<double>(n) / static_cast<double>(records);
  return percent < 0.1 ? "< 0.1 %" : fmt::format("{:.1f} %", std::min(percent, 99.9));
}

std::string name_shown(const NamedHeader& h) {
  if (h.name.empty()) return "\"\"";
  if (!h.registered.empty()) return fmt::format("{} ({})", h.name, shown(h.registered, 40));
  return shown(h.name, 40);
}

/// The convention as people call it; a user's kind as he calls it; "" for what isn't worth a word.
std::string_view kind_title(std::string_view kind) {
  for (const CarrierInfo& c : carriers()) {
    if (c.name == kind) return c.title;
  }
  return kind;
}

std::string validity(const NamedHeader& h, const cli::Painter& paint) {
  if (h.name != "traceparent") return {};
  if (h.invalid == 0) return ", all valid";
  const std::string text = h.invalid == h.count ? std::string("none valid") : share(h.count - h.invalid, h.count) + " valid";
  return ", " + paint(Style::yellow, text);
}

/// Names of one convention that equally many records carry are one word: "CloudEvents: ce_id ce_source ce_type 100 %".
std::vector<std::string> words(std::vector<const NamedHeader*> headers, std::uint64_t records, const cli::Painter& paint) {
  constexpr std::size_t most_columns = 60;
  std::stable_sort(headers.begin(), headers.end(), [](const NamedHeader* a, const NamedHeader* b) { return a->records > b->records; });
  std::vector<std::string> out;
  std::vector<bool> done(headers.size());
  for (std::size_t i = 0; i < headers.size(); ++i) {
    if (done[i]) continue;
    const NamedHeader& h = *headers[i];
    const std::string_view of = kind_title(h.kind);
    std::string names = name_shown(h);
    std::size_t hidden = 0;
    for (std::size_t j = i + 1; !of.empty() && j < headers.size(); ++j) {
      if (done[j] || headers[j]->kind != h.kind || headers[j]->records != h.records || h.name == "traceparent") continue;
      done[j] = true;
      const std::string more = " " + name_shown(*headers[j]);
      if (hidden == 0 && cli::width_of(names) + cli::width_of(more) <= most_columns) {
        names += more;
      } else {
        ++hidden;
      }
    }
    if (hidden > 0) names += fmt::format(" +{}", hidden);
    std::string word = names + " " + share(h.records, records) + validity(h, paint);
    if (!of.empty() && h.name != "traceparent") word += fmt::format(" ({})", of);
    if (h.nulls > 0) word += fmt::format(", {} null", human_count(h.nulls));
    out.push_back(std::move(word));
  }
  return out;
}

}  // namespace

void json_headers(JsonWriter& json, const Report& r) {
  json.begin_array();
  for (const NamedHeader& h : r.headers) {
    json.begin_object();
    text(json, "name", h.name);
    strings(json, "topics", h.topics);
    count(json, "records", h.count);
    count(json, "bytes", h.bytes);
    count(json, "nulls", h.nulls);
    text_or_null(json, "kind", h.kind);
    if (h.draft) text_or_null(json, "registered", h.registered);
    if (h.name == "traceparent") count(json, "invalid", h.invalid);
    json.end_object();
  }
  json.end_array();
}

void text_headers(cli::Output& out, const cli::Painter& paint, const Report& r) {
  if (r.headers.empty()) return;
  std::vector<std::pair<const NamedTopic*, const std::vector<NamedHeader>*>> rows;
  std::size_t width = 0;
  constexpr std::size_t most_topics = 12, most_words = 10;
  for (const NamedTopic& t : r.topics) {
    const auto found = r.headers_by_topic.find(t.label.shown());
    if (found != r.headers_by_topic.end()) rows.emplace_back(&t, &found->second);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first->row.with_headers > b.first->row.with_headers; });
  title(out, paint, "Headers", "share of a topic's records that carry them");
  const std::size_t n = std::min(most_topics, rows.size());
  for (std::size_t i = 0; i < n; ++i) width = std::max(width, cli::width_of(shown(rows[i].first->label.shown(), 30)));
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<const NamedHeader*> headers;
    for (const NamedHeader& h : *rows[i].second) headers.push_back(&h);
    std::vector<std::string> line = words(headers, rows[i].first->row.records(), paint);
    if (line.size() > most_words) {
      const std::size_t more = line.size() - most_words;
      line.resize(most_words);
      line.push_back(fmt::format("{} more", human_count(more)));
    }
    std::string topic = shown(rows[i].first->label.shown(), 30);
    topic.append(width - cli::width_of(topic) + 2, ' ');
    flow(out, 2, topic, line);
  }
  and_more(out, paint, n, rows.size(), "topics with headers");
}

}  // namespace kparse::report
