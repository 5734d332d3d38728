// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "output/human.h"
#include "report/json_parts.h"
#include "report/report.h"
#include "report/text_parts.h"

namespace kparse::report {
namespace {

using cli::human_count;
using cli::Style;

std::string code_name(std::int16_t code) {
  const std::string_view name = error_name(code);
  return name.empty() ? fmt::format("error {}", code) : std::string(name);
}

std::string api_name(std::int16_t key) {
  const Api* api = find_api(key);
  return api ? std::string(api->name) : fmt::format("API key {}", key);
}

/// All of one code of one API.
struct Kind {
  std::int16_t api_key = -1, code = 0;
  std::uint64_t count = 0;
  std::vector<std::string> where;   ///< "orders-2", "group x"
  SmallSet<ClientName> clients{64};
  const ErrorRow* first = nullptr;
};

std::string where(const NamedError& e) {
  const std::string topic = e.topic.shown().empty() ? std::string() : shown(e.topic.shown());
  if (!topic.empty()) return e.row.partition >= 0 ? fmt::format("{}-{}", topic, e.row.partition) : topic;
  return e.row.group.empty() ? std::string() : "group " + shown(e.row.group);
}

/// What is part of a healthy protocol run.
std::string_view normal(std::int16_t api_key, std::int16_t code) {
  constexpr std::int16_t api_versions = 18, unsupported_version = 35, member_id_required = 79;
  if (code == member_id_required) return "a normal step of joining";
  if (api_key == api_versions && code == unsupported_version) return "normal: the client asks again in an older version";
  return {};
}

std::vector<Kind> kinds(const Report& r) {
  std::map<std::pair<std::int16_t, std::int16_t>, Kind> by_code;
  for (const NamedError& e : r.errors) {
    Kind& k = by_code[{e.row.api_key, e.row.code}];
    k.api_key = e.row.api_key;
    k.code = e.row.code;
    k.count += e.row.count;
    k.clients.merge(e.row.clients);
    if (!k.first || earlier(e.row.first, k.first->first)) k.first = &e.row;
    if (std::string place = where(e); !place.empty()) k.where.push_back(std::move(place));
  }
  std::vector<Kind> out;
  for (auto& [code, kind] : by_code) out.push_back(std::move(kind));
  std::stable_sort(out.begin(), out.end(), [](const Kind& a, const Kind& b) { return a.count > b.count; });
  return out;
}

}  // namespace

void json_errors(JsonWriter& json, const Report& r) {
  json.begin_array();
  for (const NamedError& e : r.errors) {
    const Api* api = find_api(e.row.api_key);
    json.begin_object();
    text_or_null(json, "api", api ? api->name : std::string_view());
    json.key("apiKey");
    json.integer(e.row.api_key);
    json.key("code");
    json.integer(e.row.code);
    const std::string_view name = error_name(e.row.code);
    text(json, "name", name.empty() ? std::to_string(e.row.code) : std::string(name));
    text_or_null(json, "topic", e.topic.name);
    text_or_null(json, "topicId", e.topic.id);
    json.key("partition");
    e.row.partition < 0 ? json.null() : json.integer(e.row.partition);
    text_or_null(json, "group", e.row.group);
    count(json, "count", e.row.count);
    client_id(json, e.row.first_client);
    text(json, "firstCapture", r.capture(e.row.first));
    count(json, "firstPacket", e.row.first.packet);
    json.end_object();
  }
  json.end_array();
}

void text_errors(cli::Output& out, const cli::Painter& paint, const Report& r) {
  const std::vector<Kind> rows = kinds(r);
  if (rows.empty()) return;
  title(out, paint, "Errors in answers");
  constexpr std::size_t most = 12;
  const std::size_t n = std::min(most, rows.size());
  std::size_t name_width = 0, count_width = 0, api_width = 0;
  for (std::size_t i = 0; i < n; ++i) {
    name_width = std::max(name_width, code_name(rows[i].code).size());
    count_width = std::max(count_width, human_count(rows[i].count).size() + 1);
    api_width = std::max(api_width, api_name(rows[i].api_key).size());
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Kind& k = rows[i];
    const std::string_view fine = normal(k.api_key, k.code);
    std::vector<std::string> clients, words;
    for (const ClientName& c : k.clients.items()) clients.push_back(shown(c));
    if (!k.where.empty()) words.push_back(listed(k.where, 2));
    words.push_back((clients.size() > 1 ? "clients " : "client ") + listed(clients, 2));
    words.push_back("first at " + place(r, k.first->first));
    if (!fine.empty()) words.push_back(paint(Style::dim, fine));
    const std::string label = paint(fine.empty() ? Style::red : Style::plain, fmt::format("{:<{}}", code_name(k.code), name_width)) +
                              fmt::format("  {:>{}}  {:<{}}  ", "×" + human_count(k.count), count_width, api_name(k.api_key), api_width);
    flow(out, 2, label, words);
  }
  and_more(out, paint, most, rows.size(), "kinds of errors");
}

}  // namespace kparse::report
