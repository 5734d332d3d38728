// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

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
std::string calls_shown(const Calls& calls, std::size_t most) {
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
  return listed(names, most);
}

std::string software_shown(const ClientIdentity& c) {
  return c.software.empty() ? std::string(none) : shown(c.software_version.empty() ? c.software : c.software + " " + c.software_version, 34);
}

std::string principal_shown(const ClientIdentity& c) {
  if (!c.authenticated) return std::string(none);
  const std::string_view refused = c.refused ? ", refused" : "";
  const std::string mechanism = c.mechanism.empty() ? "SASL" : c.mechanism;
  return c.principal.empty() ? fmt::format("({}{})", shown(mechanism, 20), refused)
                             : fmt::format("{} ({}{})", shown(c.principal, 30), shown(mechanism, 20), refused);
}

std::string hosts_shown(const ClientRow& c) {
  std::vector<std::string> names, behind;
  for (const std::string& h : c.hosts.items()) names.push_back(shown(h));
  for (const std::string& h : c.proxied.items()) behind.push_back(shown(h));
  return behind.empty() ? listed(names, 1) : fmt::format("{} through {}", listed(behind, 1), listed(names, 1));
}

std::vector<const ClientRow*> rows_of(const ClientTable& table) {
  std::vector<const ClientRow*> out;
  for (const ClientTable::Slot* slot : table.sorted()) out.push_back(&slot->row);
  return out;
}

/// For people a client that never said its software on one connection is the one that did on another.
std::vector<ClientRow> folded(const ClientTable& table) {
  std::map<ClientName, std::vector<const ClientRow*>> by_name;
  for (const ClientRow* c : rows_of(table)) by_name[c->identity.name].push_back(c);
  std::vector<ClientRow> out;
  for (const auto& [name, rows] : by_name) {
    std::set<std::pair<std::string, std::string>> software;
    std::set<std::tuple<std::string, std::string, bool>> users;
    for (const ClientRow* c : rows) {
      if (!c->identity.software.empty()) software.insert({c->identity.software, c->identity.software_version});
      if (c->identity.authenticated) users.insert({c->identity.mechanism, c->identity.principal, c->identity.refused});
    }
    const bool one = software.size() <= 1 && users.size() <= 1;
    for (const ClientRow* c : rows) {
      if (!one || c == rows[0]) {
        out.push_back(*c);
        continue;
      }
      ClientIdentity& who = out.back().identity;
      if (who.software.empty()) {
        who.software = c->identity.software;
        who.software_version = c->identity.software_version;
      }
      if (c->identity.authenticated) {
        who.authenticated = true;
        who.mechanism = c->identity.mechanism;
        who.refused = c->identity.refused;
        who.principal = c->identity.principal;
      }
      out.back().merge(ClientRow(*c));
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const ClientRow& a, const ClientRow& b) { return a.calls.total() > b.calls.total(); });
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
    json.boolean(c->identity.authenticated && !c->identity.refused);
    json.end_object();
  }
  json.end_array();
}

void text_clients(cli::Output& out, const cli::Painter& paint, const Report& r) {
  const std::vector<ClientRow> rows = folded(r.data.clients);
  if (rows.empty()) return;
  const bool principals = std::any_of(rows.begin(), rows.end(), [](const ClientRow& c) { return c.identity.authenticated; });
  std::vector<cli::Table::Column> columns = {{"Client", Align::left, 40}, {"software"}, {"from"}, {"conns", Align::right}, {"calls", Align::right}, {"APIs and versions"}};
  if (principals) columns.insert(columns.begin() + 2, {"principal"});
  cli::Table table(std::move(columns));
  constexpr std::size_t most = 15;
  for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) {
    const ClientRow& c = rows[i];
    std::vector<std::string> cells = {shown(c.identity.name), software_shown(c.identity), hosts_shown(c), human_count(c.connections),
                                      human_count(c.calls.total()), calls_shown(c.calls, principals ? 2 : 3)};
    if (principals) cells.insert(cells.begin() + 2, principal_shown(c.identity));
    table.row(std::move(cells));
  }
  out.write('\n');
  table.print(out, paint, 0);
  and_more(out, paint, most, rows.size(), "clients");
}

}  // namespace kparse::report
