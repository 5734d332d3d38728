// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "audit/audit.h"
#include "kparse/releases.h"
#include "output/human.h"
#include "output/table.h"

namespace kparse::audit {
namespace {

using cli::Align;
using cli::human_count;
using cli::human_time;
using cli::printable;
using cli::Style;
using cli::Table;

std::string api_name(std::int16_t key) {
  const Api* api = find_api(key);
  return api ? std::string(api->name) : fmt::format("API {}", key);
}

std::string client_name(const Identity& who) {
  if (who.client_id_null) return "(no client id)";
  return who.client_id.empty() ? "\"\"" : printable(who.client_id);
}

std::string paint_verdict(const cli::Painter& paint, Verdict v) {
  return paint(v == Verdict::refused ? Style::red : v == Verdict::unknown ? Style::yellow : Style::green, name_of(v));
}

/// "3.0 – 3.9", "4.1 – 4.4": the releases that serve all of it.
std::string served_by(const JudgedClient& j) {
  const auto releases = judged_releases();
  std::string text;
  for (std::size_t i = 0; i < releases.size();) {
    std::size_t end = i;
    while (end < releases.size() && j.releases[end] == j.releases[i]) ++end;
    if (j.releases[i] == Verdict::ok)
      text += fmt::format("{}{}{}", text.empty() ? "" : ", ", line_of(releases[i]),
                          end - i > 1 ? fmt::format(" – {}", line_of(releases[end - 1])) : "");
    i = end;
  }
  return text.empty() ? "none of 3.0 – 4.4" : text;
}

void print_heading(cli::Output& out, const cli::Painter& paint, const JudgedClient& j) {
  const Identity& who = j.client->who;
  std::string from;
  std::size_t shown = 0;
  for (const std::string& host : j.client->hosts) {
    if (++shown > 4) break;
    from += fmt::format("{}{}", from.empty() ? "" : ", ", host);
  }
  if (j.client->hosts.size() > 4) from += fmt::format(" and {} more", j.client->hosts.size() - 4);
  std::string software = who.software.empty() ? std::string() : fmt::format("  ·  {} {}", printable(who.software), printable(who.software_version));
  if (who.software.empty() && j.library.library)
    software = fmt::format("  ·  {} {}, by its client id", j.library.library->name, printable(j.library.version));
  const std::string user = who.principal.empty() ? std::string() : fmt::format("  ·  user {}", printable(who.principal));
  out.print("\n{}  {}  from {}{}{}\n", paint_verdict(paint, j.verdict), paint(Style::bold, client_name(who)), from, software, user);
}

void print_trouble(cli::Output& out, const cli::Painter& paint, const JudgedClient& j, std::size_t target) {
  print_heading(out, paint, j);
  Table table({{""}, {""}, {"", Align::right}, {""}, {""}});
  std::uint64_t fine = 0;
  for (const auto& [call, judged] : j.calls) {
    if (judged.verdict == Verdict::ok) {
      fine += call->count;
      continue;
    }
    table.row({fmt::format("{} v{}", api_name(call->api_key), call->version), paint_verdict(paint, judged.verdict),
               fmt::format("×{}", human_count(call->count)),
               call->count > 1 ? fmt::format("{} – {}", human_time(call->first.time_ns), human_time(call->last.time_ns).substr(11))
                               : human_time(call->first.time_ns),
               reason_text(*call, judged, target)});
  }
  table.print(out, paint, 2);
  if (fine > 0) out.print("  {}\n", paint(Style::dim, fmt::format("and {} {} that {} serves", human_count(fine), fine == 1 ? "call" : "calls", line_of(target))));
  out.print("  served by {}\n", served_by(j));
  if (!j.fix.empty()) out.print("  {} {}\n", paint(Style::green, "▸"), printable(j.fix));
}

std::string versions(const JudgedClient& j) {
  std::string text;
  std::int16_t before = -1;
  for (const auto& [call, judged] : j.calls) {
    text += call->api_key == before ? fmt::format(",{}", call->version)
                                    : fmt::format("{}{} {}", text.empty() ? "" : ", ", api_name(call->api_key), call->version);
    before = call->api_key;
  }
  return text;
}

void print_fine(cli::Output& out, const cli::Painter& paint, const std::vector<const JudgedClient*>& clients) {
  Table table({{"client"}, {"software"}, {"from"}, {"calls", Align::right}, {"APIs and versions", Align::left, 90}});
  for (const JudgedClient* j : clients) {
    const Identity& who = j->client->who;
    std::uint64_t calls = 0;
    for (const auto& [call, judged] : j->calls) calls += call->count;
    table.row({client_name(who), fmt::format("{} {}", printable(who.software), printable(who.software_version)),
               *j->client->hosts.begin() + (j->client->hosts.size() > 1 ? fmt::format(" +{}", j->client->hosts.size() - 1) : ""),
               human_count(calls), versions(*j)});
  }
  table.print(out, paint, 2);
}

}  // namespace

void print_audit(cli::Output& out, const cli::Painter& paint, const Audit& audit) {
  std::vector<const JudgedClient*> trouble, fine, brokers;
  std::size_t refused = 0;
  for (const JudgedClient& j : audit.clients) {
    if (j.client->who.inter_broker)
      brokers.push_back(&j);
    else
      (j.verdict == Verdict::ok ? fine : trouble).push_back(&j);
    refused += !j.client->who.inter_broker && j.verdict == Verdict::refused;
  }
  const std::size_t unknown = trouble.size() - refused;
  out.print("Kafka {} refuses {} of {} {}{}.\n", line_of(audit.target), refused, trouble.size() + fine.size(),
            trouble.size() + fine.size() == 1 ? "client" : "clients",
            unknown ? fmt::format("; of {} more the capture can't tell", unknown) : "");
  for (const JudgedClient* j : trouble) print_trouble(out, paint, *j, audit.target);
  if (!fine.empty()) {
    out.print("\n{}\n", paint(Style::bold, fmt::format("Served by {}", line_of(audit.target))));
    print_fine(out, paint, fine);
  }
  if (!brokers.empty()) {
    out.print("\n{}\n", paint(Style::bold, "Between brokers: they are upgraded together, by the upgrade notes"));
    print_fine(out, paint, brokers);
  }
  if (!audit.blind.empty()) out.print("\n{}\n", paint(Style::bold, "What this capture can't tell"));
  for (const Blind& b : audit.blind) out.print("  {}\n", b.message);
}

}  // namespace kparse::audit
