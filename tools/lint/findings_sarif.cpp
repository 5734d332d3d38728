// SPDX-License-Identifier: MIT
// SARIF 2.1.0 (OASIS, March 2020): what code scanning and editors show. A packet has no line, so places are logical
// locations in an artifact.
#include <algorithm>

#include <fmt/format.h>

#include "lint/baseline.h"
#include "lint/findings_out.h"
#include "output/human.h"
#include "output/version.h"
#include "story/json.h"

namespace kparse::findings {
namespace {

using story::text;

std::string_view level(Severity s) {
  switch (s) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::notice: return "note";
    case Severity::info: break;
  }
  return "none";
}

/// RFC 3986: what isn't unreserved is percent-encoded; "/" parts stay.
std::string uri_of(std::string_view file) {
  if (file == "-") return "stdin";
  std::string uri;
  for (const unsigned char c : file) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
                       c == '_' || c == '~' || c == '/';
    if (plain)
      uri += static_cast<char>(c);
    else
      uri += fmt::format("%{:02X}", c);
  }
  return uri;
}

/// FNV-1a: a short name for a fingerprint.
std::string hash_of(std::string_view bytes) {
  std::uint64_t h = 14695981039346656037u;
  for (const unsigned char c : bytes) h = (h ^ c) * 1099511628211u;
  return fmt::format("{:016x}", h);
}

void message(JsonWriter& json, std::string_view name, std::string_view value) {
  json.key(name);
  json.begin_object();
  text(json, "text", value);
  json.end_object();
}

void rule(JsonWriter& json, const RuleInfo& r) {
  json.begin_object();
  text(json, "id", r.id);
  message(json, "shortDescription", r.why);
  message(json, "fullDescription", r.condition);
  message(json, "help", r.fix);
  json.key("defaultConfiguration");
  json.begin_object();
  text(json, "level", level(r.severity));
  json.end_object();
  json.key("properties");
  json.begin_object();
  text(json, "severity", name_of(r.severity));
  text(json, "scope", name_of(r.scope));
  text(json, "sources", r.sources);
  json.end_object();
  json.end_object();
}

void location(JsonWriter& json, const Stamp& at, const Finding& f, const Found& found) {
  json.begin_object();
  json.key("physicalLocation");
  json.begin_object();
  json.key("artifactLocation");
  json.begin_object();
  text(json, "uri", uri_of(found.capture(at)));
  story::number(json, "index", at.file);
  json.end_object();
  json.end_object();
  json.key("logicalLocations");
  json.begin_array();
  json.begin_object();
  text(json, "name", fmt::format("packet {}", at.packet));
  text(json, "fullyQualifiedName",
       f.in_conversation ? fmt::format("conversation {}/packet {}", f.conversation, at.packet)
                         : fmt::format("packet {}", at.packet));
  text(json, "kind", "packet");
  json.end_object();
  json.end_array();
  json.end_object();
}

void result(JsonWriter& json, const Finding& f, std::size_t rule_index, const Found& found) {
  json.begin_object();
  text(json, "ruleId", f.rule->id);
  story::number(json, "ruleIndex", static_cast<std::int64_t>(rule_index));
  text(json, "kind", f.rule->severity == Severity::info ? "informational" : "fail");
  text(json, "level", level(f.rule->severity));
  message(json, "message", f.message);
  json.key("locations");
  json.begin_array();
  const std::vector<Stamp> packets = packets_of(f);
  location(json, packets.front(), f, found);
  json.end_array();
  if (packets.size() > 1) {
    json.key("relatedLocations");
    json.begin_array();
    for (std::size_t i = 1; i < packets.size(); ++i) location(json, packets[i], f, found);
    json.end_array();
  }
  story::number(json, "occurrenceCount", static_cast<std::int64_t>(f.count));
  json.key("partialFingerprints");
  json.begin_object();
  text(json, "kparse/v1", hash_of(fingerprint(f)));
  json.end_object();
  json.key("properties");
  json.begin_object();
  text(json, "severity", name_of(f.rule->severity));
  text(json, "time", cli::rfc3339(f.places.front().time_ns));
  const auto given = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) text(json, name, value);
  };
  given("client", f.client);
  given("clientId", f.client_id);
  given("server", f.server);
  given("api", f.api);
  given("topic", f.topic);
  given("group", f.group);
  if (f.partition >= 0) story::number(json, "partition", f.partition);
  json.end_object();
  json.end_object();
}

}  // namespace

void write_sarif(cli::Output& out, const Found& found) {
  // The rules that speak, by id.
  const auto by_id = [](const RuleInfo* a, const RuleInfo* b) { return a->id < b->id; };
  std::vector<const RuleInfo*> rules;
  for (const Finding& f : found.findings) rules.push_back(f.rule);
  std::sort(rules.begin(), rules.end(), by_id);
  rules.erase(std::unique(rules.begin(), rules.end()), rules.end());

  JsonWriter json;
  json.begin_object();
  text(json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  text(json, "version", "2.1.0");
  json.key("runs");
  json.begin_array();
  json.begin_object();
  json.key("tool");
  json.begin_object();
  json.key("driver");
  json.begin_object();
  text(json, "name", "kparse");
  text(json, "version", cli::version());
  text(json, "semanticVersion", cli::version());
  json.key("rules");
  json.begin_array();
  for (const RuleInfo* r : rules) rule(json, *r);
  json.end_array();
  json.end_object();
  json.end_object();
  json.key("artifacts");
  json.begin_array();
  for (const std::string& capture : found.captures) {
    json.begin_object();
    json.key("location");
    json.begin_object();
    text(json, "uri", uri_of(capture));
    json.end_object();
    json.end_object();
  }
  json.end_array();
  json.key("results");
  json.begin_array();
  for (const Finding& f : found.findings) {
    const auto at = std::lower_bound(rules.begin(), rules.end(), f.rule, by_id);
    result(json, f, static_cast<std::size_t>(at - rules.begin()), found);
  }
  json.end_array();
  if (const std::vector<std::string> more = unsaid(found); !more.empty()) {
    json.key("invocations");
    json.begin_array();
    json.begin_object();
    json.key("executionSuccessful");
    json.boolean(true);
    json.key("toolExecutionNotifications");
    json.begin_array();
    for (const std::string& what : more) {
      json.begin_object();
      text(json, "level", "warning");
      message(json, "message", what);
      json.end_object();
    }
    json.end_array();
    json.end_object();
    json.end_array();
  }
  text(json, "columnKind", "utf16CodeUnits");
  json.end_object();
  json.end_array();
  json.end_object();
  json.newline();
  out.write(json.view());
}

}  // namespace kparse::findings
