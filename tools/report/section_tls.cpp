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
using cli::human_bytes;
using cli::human_count;

std::string suite_of(const TlsRow& row) { return row.version == 0 ? std::string() : tls_suite_text(row.suite); }

}  // namespace

void json_tls(JsonWriter& json, const Report& r) {
  json.begin_array();
  for (const TlsTable::Slot* slot : r.data.tls.sorted()) {
    const TlsRow& t = slot->row;
    json.begin_object();
    text(json, "server", t.server);
    text_or_null(json, "version", tls_version_text(t.version));
    text_or_null(json, "cipher", suite_of(t));
    text_or_null(json, "alpn", t.alpn);
    text_or_null(json, "sni", t.sni);
    count(json, "conversations", t.conversations);
    count(json, "opened", t.opened);
    count(json, "resumed", t.resumed);
    json.key("sealed");
    json.begin_object();
    for (const auto& [why, n] : t.sealed) count(json, name_of(why), n);
    json.end_object();
    count(json, "openedBytes", t.opened_bytes);
    count(json, "sealedBytes", t.sealed_bytes);
    count(json, "failedRecords", t.failed_records);
    count(json, "foundAgain", t.found_again);
    count(json, "earlyDataBytes", t.early_data);
    count(json, "keyUpdates", t.key_updates);
    json.key("alerts");
    json.begin_object();
    for (const auto& [alert, n] : t.alerts) count(json, alert, n);
    json.end_object();
    strings(json, "ja3", t.fingerprints.items());
    strings(json, "certificates", t.certificates.items());
    strings(json, "clientCertificates", t.client_certificates.items());
    json.end_object();
  }
  json.end_array();
}

void text_tls(cli::Output& out, const cli::Painter& paint, const Report& r) {
  std::vector<const TlsRow*> rows;
  for (const TlsTable::Slot* slot : r.data.tls.sorted()) rows.push_back(&slot->row);
  if (rows.empty()) return;
  std::stable_sort(rows.begin(), rows.end(),
                   [](const TlsRow* a, const TlsRow* b) { return a->conversations > b->conversations; });
  cli::Table table({{"TLS", Align::left, 40},
                    {"conns", Align::right},
                    {"opened", Align::right},
                    {"inside", Align::right},
                    {"closed", Align::right},
                    {"version and suite", Align::left, 60},
                    {"name asked for"}});
  std::vector<std::vector<std::string>> of_row;
  constexpr std::size_t most = 12;
  for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) {
    const TlsRow& t = *rows[i];
    const std::string agreed =
        t.version == 0 ? std::string(none) : fmt::format("{}  {}", tls_version_text(t.version), suite_of(t));
    table.row({shown(t.server), human_count(t.conversations), brief_count(t.opened),
               t.opened_bytes == 0 ? std::string(none) : human_bytes(t.opened_bytes),
               t.sealed_bytes == 0 ? std::string(none) : human_bytes(t.sealed_bytes), agreed,
               t.sni.empty() ? std::string(none) : shown(t.sni, 40)});
    std::vector<std::string>& remarks = of_row.emplace_back();
    if (t.resumed > 0) remarks.push_back(fmt::format("{} resumed", human_count(t.resumed)));
    if (t.key_updates > 0) remarks.push_back(plural(t.key_updates, "key update"));
    if (t.found_again > 0)
      remarks.push_back(fmt::format("record number found again {} after lost bytes",
                                    t.found_again == 1 ? "once" : human_count(t.found_again) + " times"));
    if (t.failed_records > 0)
      remarks.push_back(fmt::format("{} not authenticated", plural(t.failed_records, "record")));
    if (t.early_data > 0) remarks.push_back(fmt::format("{} of 0-RTT data left out", human_bytes(t.early_data)));
    for (const auto& [alert, n] : t.alerts)
      remarks.push_back(fmt::format("alert {}{}", shown(alert), n == 1 ? "" : fmt::format(" ×{}", human_count(n))));
  }
  out.write('\n');
  table.print(out, paint, 0);
  for (std::size_t i = 0; i < of_row.size(); ++i)
    if (!of_row[i].empty()) flow(out, 2, shown(rows[i]->server) + "  ", of_row[i]);
  and_more(out, paint, most, rows.size(), "kinds of TLS");
}

}  // namespace kparse::report
