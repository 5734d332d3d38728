// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "output/human.h"
#include "report/json_parts.h"
#include "report/report.h"
#include "report/text_parts.h"

namespace kparse::report {
namespace {

using cli::Align;
using cli::human_count;

std::string api_name(std::int16_t key) {
  const Api* api = find_api(key);
  return api ? std::string(api->name) : std::to_string(key);
}

/// "Fetch 18, Produce 3/13, Metadata 13 and 4 more", most used first.
std::string calls_shown(const Calls& calls) {
  const auto by_api = calls.by_api();
  std::vector<std::pair<std::uint64_t, std::string>> apis;
  for (const auto& [key, versions] : by_api) {
    std::uint64_t total = 0;
    std::string text = api_name(key) + " ";
    for (const auto& [version, n] : versions) {
      text += total == 0 ? std::to_string(version) : "/" + std::to_string(version);
      total += n;
    }
    apis.emplace_back(total, std::move(text));
  }
  std::stable_sort(apis.begin(), apis.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> names;
  for (auto& [n, name] : apis) names.push_back(std::move(name));
  return listed(names, 3);
}

std::string software_shown(const ClientIdentity& c) {
  return c.software.empty() ? std::string(none) : shown(c.software_version.empty() ? c.software : c.software + " " + c.software_version, 34);
}

std::string principal_shown(const ClientIdentity& c) {
  if (!c.authenticated) return std::string(none);
  const std::string mechanism = c.mechanism.empty() ? "SASL" : c.mechanism;
  return c.principal.empty() ? shown("(" + mechanism + ")", 30) : shown(c.principal + " (" + mechanism + ")", 30);
}

std::string hosts_shown(const SmallSet<std::string>& hosts) {
  std::vector<std::string> names;
  for (const std::string& h : hosts.items()) names.push_back(shown(h));
  return listed(names, 1);
}

std::vector<const ClientRow*> rows_of(const ClientTable& table) {
  std::vector<const ClientRow*> out;
  for (const ClientTable::Slot* slot : table.sorted()) out.push_back(&slot->row);
  return out;
}

}  // namespace

void json_clients(JsonWriter& json, const Report& r) {
  json.begin_array();
  for (const ClientRow* c : rows_of(r.data.clients)) {
    json.begin_object();
    client_id(json, c->identity.name);
    text_or_null(json, "software", c->identity.software);
    text_or_null(json, "softwareVersion", c->identity.software_version);
    strings(json, "addresses", c->hosts.items());
    strings(json, "proxied", c->proxied.items());
    strings(json, "servers", c->servers.items());
    count(json, "connections", c->connections);
    count(json, "requests", c->calls.total());
    json.key("apis");
    json.begin_object();
    for (const auto& [key, versions] : c->calls.by_api()) {
      json.key(api_name(key));
      json.begin_object();
      for (const auto& [version, n] : versions) count(json, std::to_string(version), n);
      json.end_object();
    }
    json.end_object();
    text_or_null(json, "principal", c->identity.principal);
    text_or_null(json, "mechanism", c->identity.mechanism);
    json.key("authenticated");
    json.boolean(c->identity.authenticated);
    json.end_object();
  }
  json.end_array();
}

void text_clients(cli::Output& out, const cli::Painter& paint, const Report& r) {
  std::vector<const ClientRow*> rows = rows_of(r.data.clients);
  if (rows.empty()) return;
  std::stable_sort(rows.begin(), rows.end(), [](const ClientRow* a, const ClientRow* b) { return a->calls.total() > b->calls.total(); });
  const bool principals = std::any_of(rows.begin(), rows.end(), [](const ClientRow* c) { return c->identity.authenticated; });
  std::vector<cli::Table::Column> columns = {{"Client", Align::left, 40}, {"software"}, {"from"}, {"conns", Align::right}, {"calls", Align::right}, {"APIs and versions"}};
  if (principals) columns.insert(columns.begin() + 2, {"principal"});
  cli::Table table(std::move(columns));
  constexpr std::size_t most = 15;
  for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) {
    const ClientRow& c = *rows[i];
    std::vector<std::string> cells = {shown(c.identity.name), software_shown(c.identity), hosts_shown(c.hosts), human_count(c.connections),
                                      human_count(c.calls.total()), calls_shown(c.calls)};
    if (principals) cells.insert(cells.begin() + 2, principal_shown(c.identity));
    table.row(std::move(cells));
  }
  out.write('\n');
  table.print(out, paint, 0);
  and_more(out, paint, most, rows.size(), "clients");
}

}  // namespace kparse::report
