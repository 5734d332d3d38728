// SPDX-License-Identifier: MIT
// TLS conversations: what they agreed on, how many were opened, and why the others were not.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "kparse/tls_info.h"
#include "report/bounded_table.h"
#include "report/names.h"

namespace kparse::report {

/// Conversations of one server that agreed on the same.
struct TlsRow {
  std::string server;  ///< "ip:port"
  std::uint16_t version = 0, suite = 0;
  std::string sni, alpn;
  std::uint64_t conversations = 0, opened = 0, resumed = 0;
  std::map<TlsSealed, std::uint64_t> sealed;  ///< conversations that stayed closed, or one direction of them did
  std::uint64_t opened_bytes = 0, sealed_bytes = 0;
  std::uint64_t failed_records = 0, found_again = 0, early_data = 0, key_updates = 0;
  std::map<std::string, std::uint64_t> alerts;                      ///< fatal ones: "bad_certificate from the server"
  SmallSet<std::string> fingerprints{32};                           ///< of ClientHellos
  SmallSet<std::string> certificates{32}, client_certificates{32};  ///< names

  [[nodiscard]] std::uint64_t weight() const noexcept { return conversations; }
  void merge(TlsRow&&);
  /// One conversation, when it is over.
  void add(const TlsInfo&);
};
using TlsTable = BoundedTable<TlsRow>;

/// Counts a conversation in the row that it belongs to.
void add_tls(TlsTable&, KeyBuilder&, std::string_view server, const TlsInfo&);

/// Of all rows: how many conversations (or halves of them) stayed closed, by why.
[[nodiscard]] std::map<TlsSealed, std::uint64_t> tls_sealed(const TlsTable&);

}  // namespace kparse::report
