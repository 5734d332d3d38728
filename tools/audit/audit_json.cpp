// SPDX-License-Identifier: MIT
#include "audit/audit.h"
#include "kparse/releases.h"
#include "output/csv.h"
#include "output/human.h"
#include "story/json.h"

namespace kparse::audit {
namespace {

std::string api_name(std::int16_t key) {
  const Api* api = find_api(key);
  return api ? std::string(api->name) : std::to_string(key);
}

void since(JsonWriter& json, const Judged& j) {
  json.key("since");
  j.since ? static_cast<void>(json.string(line_of(*j.since))) : json.null();
}

void write_call(JsonWriter& json, const Call& call, const Judged& judged, std::size_t target) {
  json.begin_object();
  story::text(json, "api", api_name(call.api_key));
  story::number(json, "apiKey", call.api_key);
  story::number(json, "version", call.version);
  json.key("count");
  json.unsigned_integer(call.count);
  story::time(json, "first", call.first.time_ns);
  story::time(json, "last", call.last.time_ns);
  story::text(json, "verdict", name_of(judged.verdict));
  since(json, judged);
  story::text_or_null(json, "reason", reason_text(call, judged, target));
  json.end_object();
}

void write_client(JsonWriter& json, const JudgedClient& j, std::size_t target) {
  const Identity& who = j.client->who;
  json.begin_object();
  json.key("clientId");
  who.client_id_null ? json.null() : static_cast<void>(json.string(who.client_id));
  json.key("addresses");
  json.begin_array();
  for (const std::string& host : j.client->hosts) json.string(host);
  json.end_array();
  story::text_or_null(json, "software", who.software);
  story::text_or_null(json, "softwareVersion", who.software_version);
  story::text_or_null(json, "library", j.library.library ? j.library.library->name : std::string_view{});
  json.key("libraryGuessed");
  json.boolean(j.library.guessed);
  story::text_or_null(json, "principal", who.principal);
  json.key("interBroker");
  json.boolean(who.inter_broker);
  json.key("negotiates");
  json.boolean(j.client->negotiates);
  json.key("calls");
  json.begin_array();
  for (const auto& [call, judged] : j.calls) write_call(json, *call, judged, target);
  json.end_array();
  story::text(json, "verdict", name_of(j.verdict));
  json.key("releases");
  json.begin_object();
  for (std::size_t i = 0; i < j.releases.size(); ++i) story::text(json, line_of(judged_releases()[i]), name_of(j.releases[i]));
  json.end_object();
  story::text_or_null(json, "fix", j.fix);
  json.end_object();
}

}  // namespace

void write_audit(JsonWriter& json, const Audit& audit) {
  story::text(json, "target", line_of(audit.target));
  json.key("clients");
  json.begin_array();
  for (const JudgedClient& j : audit.clients) write_client(json, j, audit.target);
  json.end_array();
  json.key("blind");
  json.begin_array();
  for (const Blind& b : audit.blind) {
    json.begin_object();
    story::text(json, "what", b.what);
    json.key("count");
    json.unsigned_integer(b.count);
    story::text(json, "message", b.message);
    json.end_object();
  }
  json.end_array();
}

void write_csv(cli::Output& out, const Audit& audit) {
  cli::Csv csv(out);
  for (const std::string_view title : {"clientId", "addresses", "software", "softwareVersion", "principal", "interBroker", "api",
                                       "version", "count", "first", "last", "target", "verdict", "since", "reason", "fix"})
    csv.text(title);
  csv.end_row();
  for (const JudgedClient& j : audit.clients) {
    const Identity& who = j.client->who;
    std::string hosts;
    for (const std::string& host : j.client->hosts) (hosts += hosts.empty() ? "" : " ") += host;
    for (const auto& [call, judged] : j.calls) {
      who.client_id_null ? csv.empty() : csv.text(who.client_id);
      csv.text(hosts).text(who.software).text(who.software_version).text(who.principal);
      csv.text(who.inter_broker ? "true" : "false").text(api_name(call->api_key)).number(call->version).number(call->count);
      csv.text(cli::rfc3339(call->first.time_ns)).text(cli::rfc3339(call->last.time_ns)).text(line_of(audit.target));
      csv.text(name_of(judged.verdict)).text(judged.since ? line_of(*judged.since) : std::string_view{});
      csv.text(reason_text(*call, judged, audit.target));
      csv.text(judged.verdict == Verdict::ok ? std::string_view{} : std::string_view(j.fix));
      csv.end_row();
    }
  }
}

}  // namespace kparse::audit
