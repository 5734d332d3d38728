// SPDX-License-Identifier: MIT
#include "commands/schema_text.h"

#include <string>

#include "commands/schema_about.h"
#include "commands/schema_json.h"
#include "kparse/enums.h"
#include "kparse/releases.h"
#include "output/output.h"
#include "output/table.h"

namespace kparse::cli {
namespace {

std::string notes(NodeId node, std::optional<int> version) {
  const Field& f = field(node);
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
  if (version ? f.nullable.has(*version) : !f.nullable.empty()) {
    const bool always = version || (f.nullable.lo == f.versions.lo && f.nullable.hi == f.versions.hi);
    add(always ? "nullable" : "nullable in " + text_of(f.nullable));
  }
  if (version ? f.tagged.has(*version) : f.tag >= 0) {
    const bool always = version || (f.tagged.lo == f.versions.lo && f.tagged.hi == f.versions.hi);
    add("tag " + std::to_string(f.tag) + (always ? "" : " in " + text_of(f.tagged)));
  }
  if (!f.default_value.empty()) add("default " + std::string(f.default_value));
  if (f.fixed) add("always in the plain encoding");
  if (f.secret) add("secret");
  return out;
}

std::string meaning(NodeId node) {
  std::string out(about(field(node)));
  const Enumeration* e = enumeration_of(node);
  if (!e || !out.empty()) return out;
  for (const EnumValue& v : e->values)
    out += (out.empty() ? "" : ", ") + std::to_string(v.value) + " " + std::string(v.name);
  return out;
}

void rows(Table& table, NodeId parent, std::optional<int> version, std::size_t depth) {
  for (const NodeId n : children(parent, version)) {
    const Field& f = field(n);
    std::vector<std::string> cells{std::string(2 * depth, ' ') + std::string(f.name), type_of(f)};
    if (!version) cells.push_back(text_of(f.versions));
    cells.push_back(notes(n, version));
    cells.push_back(meaning(n));
    table.row(std::move(cells));
    if (f.type == Type::structure) rows(table, n, version, depth + 1);
  }
}

void print_fields(Output& out, const Painter& paint, NodeId root, std::optional<int> version) {
  std::vector<Table::Column> columns{{"field"}, {"type"}};
  if (!version) columns.push_back({"versions"});
  columns.push_back({""});
  columns.push_back({"meaning"});
  Table table(std::move(columns));
  rows(table, root, version, 0);
  if (table.empty())
    out.write("  (no fields)\n");
  else
    table.print(out, paint);
}

std::string releases_with(const Api& api, int version) {
  std::string first, last;
  for (std::size_t r = 0; r < releases().size(); ++r) {
    const Support s = support(api, r);
    if (!s.stable.has(version) && !s.unstable.has(version)) continue;
    if (first.empty()) first = releases()[r];
    last = releases()[r];
  }
  if (first.empty()) return "in no release";
  return first == last ? "Kafka " + first : "Kafka " + first + " to " + last;
}

}  // namespace

void print_api_table(Output& out, const Painter& paint) {
  const std::string now(releases()[current_release()]);
  Table table(
      {{"key", Align::right}, {"API"}, {"Kafka " + now}, {"ever"}, {"flexible"}, {"since"}, {"until"}, {"listeners"}});
  for (const Api& api : apis()) {
    std::string since, until;
    for (std::size_t r = 0; r < releases().size(); ++r) {
      const bool there = !support(api, r).stable.empty();
      if (there && since.empty()) since = releases()[r];
      if (there) until = releases()[r];
    }
    std::string current = text_of(api.current);
    if (!api.unstable.empty())
      current += (current.empty() ? "" : " ") + std::string("(unstable ") + text_of(api.unstable) + ")";
    if (current.empty()) current = "removed";
    const Versions flexible = api.request->flexible;
    std::string name(api.name);
    if (!api.former_name.empty()) name += " (was " + std::string(api.former_name) + ")";
    table.row({std::to_string(api.key), name, current, text_of(api.request->versions),
               flexible.empty() ? "never" : std::to_string(flexible.lo) + "+", since,
               until == releases().back() ? "" : until, std::string(api.listeners)});
  }
  table.print(out, paint, 0);
}

void print_message(Output& out, const Painter& paint, const Message& m, std::optional<int> version) {
  const Api* api = m.kind == Kind::request || m.kind == Kind::response ? find_api(m.api_key) : nullptr;
  std::string head(m.name);
  if (version) head += " version " + std::to_string(*version);
  out.print("{}", paint(Style::bold, head));
  if (api)
    out.print("  API key {}", m.api_key);
  else if (m.api_key >= 0)
    out.print("  record type {}, {}", m.api_key, m.area);
  if (version) {
    out.print(", {}", m.flexible.has(*version) ? "flexible" : "plain");
    if (api) {
      const bool request = m.kind == Kind::request;
      out.print(", header version {}, {}",
                request ? request_header_version(*api, *version) : response_header_version(*api, *version),
                releases_with(*api, *version));
    }
  } else {
    out.print("  versions {}", text_of(m.versions));
    if (!m.flexible.empty()) out.print(", flexible {}+", m.flexible.lo);
  }
  out.write("\n");
  print_fields(out, paint, m.root, version);
  for (const AltLayout& a : alt_layouts()) {
    if (a.message != m.name || (version && a.version != *version)) continue;
    out.print("\n{}\n", paint(Style::bold, "The same version " + std::to_string(a.version) + " as Kafka " +
                                               std::string(a.from_release) + " to " + std::string(a.to_release) +
                                               " had it (" + (a.flexible ? "flexible" : "plain") + ")"));
    print_fields(out, paint, a.root, a.version);
  }
}

}  // namespace kparse::cli
