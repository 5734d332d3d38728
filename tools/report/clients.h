// SPDX-License-Identifier: MIT
// Who talked to the brokers, with which software, as whom.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_map.h"
#include "report/bounded_table.h"
#include "report/names.h"

namespace kparse::report {

/// API key and version in one number.
[[nodiscard]] constexpr std::uint32_t api_version(std::int16_t key, std::int16_t version) noexcept {
  return static_cast<std::uint32_t>(static_cast<std::uint16_t>(key)) << 16 | static_cast<std::uint16_t>(version);
}
[[nodiscard]] constexpr std::int16_t key_of(std::uint32_t api) noexcept { return static_cast<std::int16_t>(api >> 16); }
[[nodiscard]] constexpr std::int16_t version_of(std::uint32_t api) noexcept { return static_cast<std::int16_t>(api & 0xffff); }

/// Calls by api_version(). Bounded: a client that sends more different ones than there can be is no client.
class Calls {
 public:
  static constexpr std::size_t limit = 4096;
  void add(std::uint32_t api, std::uint64_t times = 1);
  void merge(const Calls&);
  [[nodiscard]] const absl::flat_hash_map<std::uint32_t, std::uint64_t>& counts() const noexcept { return counts_; }
  /// API key to versions with their counts.
  [[nodiscard]] absl::btree_map<std::int16_t, absl::btree_map<std::int16_t, std::uint64_t>> by_api() const;
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

 private:
  absl::flat_hash_map<std::uint32_t, std::uint64_t> counts_;
  std::uint64_t total_ = 0;
};

/// What a client is known by: a row each.
struct ClientIdentity {
  ClientName name;
  std::string software, software_version;  ///< from its ApiVersions requests, "" never said
  bool authenticated = false;              ///< a SASL exchange was seen
  bool refused = false;                    ///< and the broker did not accept it
  std::string mechanism;                   ///< "" where the handshake was not seen
  std::string principal;                   ///< SASL user, "" where the wire doesn't tell
};

struct ClientRow {
  ClientIdentity identity;
  std::uint64_t connections = 0;           ///< conversations with a request of it
  Calls calls;
  SmallSet<std::string> hosts{1024};       ///< from where
  SmallSet<std::string> proxied{256};      ///< whom PROXY headers name
  SmallSet<std::string> servers{256};      ///< whom it talked to

  [[nodiscard]] std::uint64_t weight() const noexcept { return calls.total(); }
  void merge(ClientRow&&);
};

using ClientTable = BoundedTable<ClientRow>;

/// Adds `from` to the row of its identity.
void add_client(ClientTable&, ClientRow&& from, KeyBuilder&);

}  // namespace kparse::report
