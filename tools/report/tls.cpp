// SPDX-License-Identifier: MIT
#include "report/tls.h"

namespace kparse::report {

void TlsRow::merge(TlsRow&& o) {
  if (conversations == 0) {
    *this = std::move(o);
    return;
  }
  conversations += o.conversations;
  opened += o.opened;
  resumed += o.resumed;
  for (const auto& [why, n] : o.sealed) sealed[why] += n;
  opened_bytes += o.opened_bytes;
  sealed_bytes += o.sealed_bytes;
  failed_records += o.failed_records;
  found_again += o.found_again;
  early_data += o.early_data;
  key_updates += o.key_updates;
  for (const auto& [alert, n] : o.alerts) alerts[alert] += n;
  fingerprints.merge(o.fingerprints);
  certificates.merge(o.certificates);
  client_certificates.merge(o.client_certificates);
}

void TlsRow::add(const TlsInfo& t) {
  ++conversations;
  if (t.opened()) ++opened;
  if (t.resumed.value_or(false)) ++resumed;
  if (t.why() != TlsSealed::no) ++sealed[t.why()];
  for (const TlsInfo::Flow* f : {&t.client, &t.server}) {
    opened_bytes += f->opened;
    sealed_bytes += f->sealed;
    failed_records += f->failed_records;
    found_again += f->found_again;
    early_data += f->early_data;
    key_updates += f->key_updates;
  }
  if (!t.alert.empty()) ++alerts[t.alert + (t.alert_from_server ? " from the server" : " from the client")];
  if (!t.fingerprint.empty()) fingerprints.add(t.fingerprint);
  for (const std::string& name : t.certificate) certificates.add(name);
  for (const std::string& name : t.client_certificate) client_certificates.add(name);
}

void add_tls(TlsTable& table, KeyBuilder& key, std::string_view server, const TlsInfo& t) {
  key.clear().text(server).number(t.version).number(t.suite).text(t.sni).text(t.alpn);
  TlsTable::Slot* slot = table.find_or_add(key.view());
  if (!slot) return;
  TlsRow& row = slot->row;
  if (row.conversations == 0) {
    row.server = server;
    row.version = t.version;
    row.suite = t.suite;
    row.sni = t.sni;
    row.alpn = t.alpn;
  }
  row.add(t);
}

std::map<TlsSealed, std::uint64_t> tls_sealed(const TlsTable& table) {
  std::map<TlsSealed, std::uint64_t> all;
  for (const TlsTable::Slot* slot : table.sorted())
    for (const auto& [why, n] : slot->row.sealed) all[why] += n;
  return all;
}

}  // namespace kparse::report
