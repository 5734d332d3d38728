// SPDX-License-Identifier: MIT
#include <algorithm>

#include "lint/findings_out.h"
#include "output/human.h"
#include "story/json.h"

namespace kparse::findings {

std::string table_of(const LintLimit& l) {
  return (l.rule.empty() ? std::string("several rules") : std::string(l.rule)) + ": " + std::string(l.what);
}

std::vector<Stamp> packets_of(const Finding& f) {
  std::vector<Stamp> packets;
  for (const Stamp& at : f.places) {
    const bool there = std::any_of(packets.begin(), packets.end(),
                                   [&](const Stamp& p) { return p.file == at.file && p.packet == at.packet; });
    if (!there) packets.push_back(at);
  }
  return packets;
}

void write_finding(JsonWriter& json, const Finding& f, const Found& found) {
  const Stamp& first = f.places.front();
  json.begin_object();
  story::text(json, "rule", f.rule->id);
  story::text(json, "severity", name_of(f.rule->severity));
  story::text(json, "capture", found.capture(first));
  json.key("packet");
  json.unsigned_integer(first.packet);
  story::time(json, "time", first.time_ns);
  json.key("conversation");
  f.in_conversation ? json.unsigned_integer(f.conversation) : json.null();
  story::text_or_null(json, "client", f.client);
  story::text_or_null(json, "server", f.server);
  story::text_or_null(json, "clientId", f.client_id);
  story::text_or_null(json, "api", f.api);
  story::text_or_null(json, "topic", f.topic);
  story::number_or_null(json, "partition", f.partition);
  story::text_or_null(json, "group", f.group);
  story::text(json, "message", f.message);
  json.key("count");
  json.unsigned_integer(f.count);
  json.key("packets");
  json.begin_array();
  for (const Stamp& at : packets_of(f)) {
    json.begin_object();
    story::text(json, "capture", found.capture(at));
    json.key("packet");
    json.unsigned_integer(at.packet);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_ndjson(cli::Output& out, const Found& found) {
  JsonWriter json;
  for (const Finding& f : found.findings) {
    json.clear();
    write_finding(json, f, found);
    json.newline();
    out.write(json.view());
    if (!out.wanted()) return;
  }
}

void write_findings(JsonWriter& json, const Found& found) {
  json.key("findings");
  json.begin_array();
  for (const Finding& f : found.findings) write_finding(json, f, found);
  json.end_array();
}

void write_limits(JsonWriter& json, const Found& found) {
  std::vector<story::Limit> all;
  for (const LintLimit& l : found.limits) all.push_back({table_of(l), l.limit, l.left_out});
  story::limits(json, all);
}

}  // namespace kparse::findings
