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

constexpr std::int16_t offset_commit = 8;
constexpr std::int16_t joins[] = {11};           // JoinGroup

std::uint64_t calls_of(const GroupRow& g, std::int16_t key) {
  std::uint64_t n = 0;
  for (const auto& [api, times] : g.calls.counts()) n += key_of(api) == key ? times : 0;
  return n;
}

std::vector<const GroupRow*> rows_of(const GroupTable& table) {
  std::vector<const GroupRow*> out;
  for (const GroupTable::Slot* slot : table.sorted()) out.push_back(&slot->row);
  return out;
}

}  // namespace

void json_groups(JsonWriter& json, const Report& r) {
  json.begin_array();
  for (const GroupRow* g : rows_of(r.data.groups)) {
    json.begin_object();
    text(json, "group", g->group);
    count(json, "requests", g->calls.total());
    json.key("apis");
    json.begin_object();
    for (const auto& [key, versions] : g->calls.by_api()) {
      std::uint64_t n = 0;
      for (const auto& [version, times] : versions) n += times;
      const Api* api = find_api(key);
      count(json, api ? std::string(api->name) : std::to_string(key), n);
    }
    json.end_object();
    count(json, "errors", g->errors);
    strings(json, "members", g->members.items());
    json.key("membersCut");
    json.boolean(g->members.cut());
    clients_with_hosts(json, "clients", g->clients);
    strings(json, "coordinators", g->coordinators.items());
    json.end_object();
  }
  json.end_array();
}

void text_groups(cli::Output& out, const cli::Painter& paint, const Report& r) {
  std::vector<const GroupRow*> rows = rows_of(r.data.groups);
  const std::size_t all = rows.size();
  std::erase_if(rows, [](const GroupRow* g) { return g->calls.total() == 0; });
  if (rows.empty()) return;
  std::stable_sort(rows.begin(), rows.end(), [](const GroupRow* a, const GroupRow* b) { return a->calls.total() > b->calls.total(); });
  cli::Table table({{"Group", Align::left, 40}, {"calls", Align::right}, {"joins", Align::right}, {"commits", Align::right}, {"errors", Align::right},
                    {"members", Align::right}, {"clients", Align::left, 44}, {"coordinator"}});
  constexpr std::size_t most = 12;
  for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) {
    const GroupRow& g = *rows[i];
    std::vector<std::string> clients, coordinators;
    for (const auto& [client, host] : g.clients.items()) {
      std::string name = shown(client);
      if (clients.empty() || clients.back() != name) clients.push_back(std::move(name));
    }
    for (const std::string& c : g.coordinators.items()) coordinators.push_back(shown(c));
    std::uint64_t joined = 0;
    for (const std::int16_t key : joins) joined += calls_of(g, key);
    table.row({g.group.empty() ? "\"\"" : shown(g.group), human_count(g.calls.total()), brief_count(joined), brief_count(calls_of(g, offset_commit)),
               brief_count(g.errors), brief_count(g.members.items().size()) + (g.members.cut() ? "+" : ""), listed(clients, 2),
               coordinators.empty() ? std::string(none) : listed(coordinators, 1)});
  }
  out.write('\n');
  table.print(out, paint, 0);
  and_more(out, paint, most, rows.size(), "groups");
  if (all > rows.size()) out.print("  {}\n", paint(cli::Style::dim, fmt::format("{} more named in answers only", human_count(all - rows.size()))));
}

}  // namespace kparse::report
