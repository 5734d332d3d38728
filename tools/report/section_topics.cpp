// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "kparse/payload.h"
#include "output/human.h"
#include "report/json_parts.h"
#include "report/report.h"
#include "report/text_parts.h"

namespace kparse::report {
namespace {

using cli::Align;
using cli::human_bytes;
using cli::human_count;
using cli::Style;

std::string codec_name(std::size_t i) {
  return i < 5 ? std::string(name_of(static_cast<Codec>(i))) : std::string("unknown");
}

void flow_member(JsonWriter& json, std::string_view name, const TopicFlow& f) {
  json.key(name);
  json.begin_object();
  count(json, "records", f.records);
  count(json, "bytes", f.bytes);
  count(json, "batches", f.batches);
  count(json, "controlRecords", f.control_records);
  json.end_object();
}

/// "lz4", or "none ×12 · gzip ×3" where there are several.
std::string codecs_shown(const TopicRow& row) {
  std::vector<std::pair<std::uint64_t, std::string>> used;
  for (std::size_t i = 0; i < row.codecs.size(); ++i) {
    if (row.codecs[i] > 0) used.emplace_back(row.codecs[i], codec_name(i));
  }
  if (used.empty()) return std::string(none);
  if (used.size() == 1) return used[0].second;
  std::stable_sort(used.begin(), used.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string out;
  for (const auto& [n, name] : used) out += fmt::format("{}{} ×{}", out.empty() ? "" : " ", name, human_count(n));
  return out;
}

/// What its records look like; Kafka's own topics are known better.
std::vector<CarrierTally::Agreed> looks_like(const NamedTopic& t) {
  if (is_internal_topic(t.label.name)) return {};
  const std::uint64_t records = t.row.records();
  return t.row.carriers.agreed(records, records - std::min(records, t.row.null_values));
}

std::string looks_shown(const CarrierTally::Agreed& a) {
  std::string ids;
  for (const std::uint64_t id : a.ids) ids += fmt::format("{}{}", ids.empty() ? ", id " : " ", id);
  const double percent = 100.0 * static_cast<double>(a.records) / static_cast<double>(a.of);
  const std::string share = a.records == a.of ? std::string("100 %") : fmt::format("{:.1f} %", std::min(percent, 99.9));
  return fmt::format("looks like {}{} ({})", info_of(a.carrier).title, ids, share);
}

std::string bytes_or_none(std::uint64_t n) { return n == 0 ? std::string(none) : human_bytes(n); }

std::string name_shown(const NamedTopic& t) { return t.label.shown().empty() ? "(no name)" : shown(t.label.shown()); }

std::vector<std::string> first_of(std::vector<std::string> names, std::size_t most) {
  if (names.size() <= most) return names;
  const std::size_t more = names.size() - most;
  names.resize(most);
  names.push_back(fmt::format("{} more", human_count(more)));
  return names;
}

/// "ada, grace and 2 more"
std::string who(const ClientSet& clients) {
  std::vector<std::string> names;
  for (const auto& [client, host] : clients.items()) {
    std::string name = shown(client);
    if (names.empty() || names.back() != name) names.push_back(std::move(name));
  }
  return listed(names, 3);
}

}  // namespace

void json_topics(JsonWriter& json, const Report& r) {
  json.begin_array();
  for (const NamedTopic& t : r.topics) {
    const TopicRow& row = t.row;
    json.begin_object();
    text_or_null(json, "topic", t.label.name);
    text_or_null(json, "topicId", t.label.id);
    if (t.ids.size() > 1) strings(json, "topicIds", t.ids);
    count(json, "partitions", row.partitions.count());
    flow_member(json, "produced", row.produced);
    flow_member(json, "fetched", row.fetched);
    json.key("codecs");
    json.begin_object();
    for (std::size_t i = 0; i < row.codecs.size(); ++i) {
      if (row.codecs[i] > 0) count(json, codec_name(i), row.codecs[i]);
    }
    json.end_object();
    whole_percentiles(json, "recordBytes", row.record_bytes);
    whole_percentiles(json, "recordsPerBatch", row.records_per_batch);
    count(json, "nullKeys", row.null_keys);
    count(json, "nullValues", row.null_values);
    count(json, "recordsWithHeaders", row.with_headers);
    const bool timed = row.first_timestamp <= row.last_timestamp;
    json.key("firstTimestamp");
    timed ? json.integer(row.first_timestamp) : json.null();
    json.key("lastTimestamp");
    timed ? json.integer(row.last_timestamp) : json.null();
    json.key("headers");
    json.begin_object();
    const auto headers = r.headers_by_topic.find(t.label.shown());
    if (headers != r.headers_by_topic.end()) {
      for (const NamedHeader& h : headers->second) {
        json.escaped_key(h.name);
        json.unsigned_integer(h.count);
      }
    }
    json.end_object();
    json.key("looksLike");
    json.begin_array();
    for (const CarrierTally::Agreed& a : looks_like(t)) {
      json.begin_object();
      text(json, "kind", name_of(a.carrier));
      text(json, "where", info_of(a.carrier).in_value ? "value" : "headers");
      count(json, "records", a.records);
      count(json, "of", a.of);
      if (!a.ids.empty()) {
        json.key("schemaIds");
        json.begin_array();
        for (const std::uint64_t id : a.ids) json.unsigned_integer(id);
        json.end_array();
      }
      json.end_object();
    }
    json.end_array();
    clients_with_hosts(json, "producers", row.produced.clients);
    clients_with_hosts(json, "consumers", row.fetched.clients);
    json.end_object();
  }
  json.end_array();
}

void text_topics(cli::Output& out, const cli::Painter& paint, const Report& r) {
  if (r.topics.empty()) return;
  std::vector<const NamedTopic*> rows;
  std::vector<std::string> silent;
  for (const NamedTopic& t : r.topics) {
    if (t.row.produced.batches + t.row.fetched.batches > 0) {
      rows.push_back(&t);
    } else {
      silent.push_back(name_shown(t));
    }
  }
  if (rows.empty()) {
    flow(out, 0, "\nTopics without records seen: ", first_of(std::move(silent), 12));
    return;
  }
  std::stable_sort(rows.begin(), rows.end(), [](const NamedTopic* a, const NamedTopic* b) { return a->row.records() > b->row.records(); });
  constexpr std::size_t most = 15;
  cli::Table table({{"Topic", Align::left, 36}, {"parts", Align::right}, {"produced", Align::right}, {"fetched", Align::right},
                    {"on the wire", Align::right}, {"codec"}, {"record p50", Align::right}, {"p99", Align::right}, {"max", Align::right},
                    {"a batch", Align::right}});
  out.write('\n');
  std::vector<std::pair<std::string, std::vector<std::string>>> people;
  std::size_t width = 0;
  for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) {
    const TopicRow& row = rows[i]->row;
    const std::string name = name_shown(*rows[i]);
    const auto size = [&](unsigned percent) {
      const Histogram& h = row.record_bytes;
      return h.count() == 0 ? std::string(none) : human_bytes(static_cast<std::uint64_t>(percent == 100 ? h.max() : h.percentile(percent)));
    };
    table.row({name, brief_count(row.partitions.count()), brief_count(row.produced.records), brief_count(row.fetched.records),
               bytes_or_none(row.produced.bytes + row.fetched.bytes), codecs_shown(row), size(50), size(99), size(100),
               row.records_per_batch.count() == 0 ? std::string(none) : fmt::format("{:.1f}", row.records_per_batch.mean())});
    std::vector<std::string> words;
    if (!row.produced.clients.items().empty()) words.push_back("from " + who(row.produced.clients));
    if (!row.fetched.clients.items().empty()) words.push_back("to " + who(row.fetched.clients));
    if (row.null_values > 0) words.push_back(plural(row.null_values, "null value"));
    for (const CarrierTally::Agreed& a : looks_like(*rows[i])) words.push_back(looks_shown(a));
    if (words.empty()) continue;
    const std::string label = shown(rows[i]->label.shown(), 36);
    width = std::max(width, cli::width_of(label));
    people.emplace_back(label, std::move(words));
  }
  table.print(out, paint, 0);
  and_more(out, paint, most, rows.size(), "topics");
  for (auto& [label, words] : people) {
    label.append(width - cli::width_of(label) + 2, ' ');
    flow(out, 2, label, words);
  }
  if (!silent.empty()) flow(out, 2, "without records: ", first_of(std::move(silent), 12));
}

}  // namespace kparse::report
