// SPDX-License-Identifier: MIT
#include "story/json.h"

#include <algorithm>

#include <fmt/format.h>

#include "output/human.h"
#include "output/text.h"

namespace kparse::story {

std::string error_text(std::int16_t code) {
  const std::string_view name = error_name(code);
  return name.empty() ? fmt::format("{}", code) : std::string(name);
}

void error(JsonWriter& json, std::string_view name, std::int16_t code) {
  json.key(name);
  code == 0 ? json.null() : static_cast<void>(json.string(error_text(code)));
}

void time(JsonWriter& json, std::string_view name, std::int64_t time_ns) { text(json, name, cli::rfc3339(time_ns)); }

void place(JsonWriter& json, const Stamp& first, const Stamp& at, const std::vector<std::string>& captures) {
  time(json, "time", at.time_ns);
  text_or_null(json, "capture", first.file < captures.size() ? captures[first.file] : std::string());
  json.key("packet");
  json.unsigned_integer(first.packet);
}

void topic(JsonWriter& json, const TopicLabel& label) {
  text_or_null(json, "topic", label.name);
  text_or_null(json, "topicId", label.id);
}

namespace {

void sort(std::vector<PartitionKey>& keys, const TopicIndex& topics) {
  for (PartitionKey& k : keys) k = topics.same(k);
  std::sort(keys.begin(), keys.end(), [&](const auto& a, const auto& b) { return topics.before(a, b); });
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

}  // namespace

void partitions(JsonWriter& json, std::string_view name, std::vector<PartitionKey> keys, const TopicIndex& topics) {
  sort(keys, topics);
  json.key(name);
  json.begin_array();
  for (std::size_t i = 0; i < keys.size();) {
    json.begin_object();
    topic(json, topics.label(keys[i].topic));
    json.key("partitions");
    json.begin_array();
    const TopicNumber now = keys[i].topic;
    for (; i < keys.size() && keys[i].topic == now; ++i) json.integer(keys[i].partition);
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

std::string partitions_text(std::vector<PartitionKey> keys, const TopicIndex& topics, std::size_t most) {
  sort(keys, topics);
  if (keys.empty()) return "nothing";
  std::string out;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < keys.size();) {
    if (++shown > most) return out + fmt::format(" and {} more", keys.size() - i);
    const TopicNumber now = keys[i].topic;
    out += fmt::format("{}{} ", out.empty() ? "" : " · ", cli::printable(topics.label(now).shown()));
    for (bool first = true; i < keys.size() && keys[i].topic == now; first = false) {
      const std::int32_t from = keys[i].partition;
      std::int32_t to = from;
      for (++i; i < keys.size() && keys[i].topic == now && keys[i].partition == to + 1; ++i) ++to;
      out += fmt::format("{}{}", first ? "" : ",", from);
      if (to > from) out += fmt::format("{}{}", to == from + 1 ? "," : "-", to);
    }
  }
  return out;
}

void limits(JsonWriter& json, const std::vector<Limit>& all) {
  json.key("limits");
  json.begin_array();
  for (const Limit& l : all) {
    if (l.left_out == 0) continue;
    json.begin_object();
    text(json, "table", l.table);
    json.key("limit");
    json.unsigned_integer(l.limit);
    json.key("leftOut");
    json.unsigned_integer(l.left_out);
    json.end_object();
  }
  json.end_array();
}

}  // namespace kparse::story
