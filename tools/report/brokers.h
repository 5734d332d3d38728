// SPDX-License-Identifier: MIT
// Brokers: those that were talked to, and those that answers name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/bounded_table.h"
#include "report/names.h"

namespace kparse::report {

/// A server that Kafka conversations lead to.
struct ServerRow {
  std::string address;                    ///< "ip:port"
  std::uint64_t connections = 0, requests = 0, responses = 0;
  std::uint64_t request_bytes = 0, response_bytes = 0;
  [[nodiscard]] std::uint64_t weight() const noexcept { return connections; }
  void merge(ServerRow&&);
};
using ServerTable = BoundedTable<ServerRow>;

/// A broker as an answer names it.
struct EndpointRow {
  std::int32_t id = -1;
  std::string host;
  std::int32_t port = -1;
  std::uint64_t mentions = 0;
  SmallSet<std::string> told_by{64};      ///< servers whose answers said so
  [[nodiscard]] std::uint64_t weight() const noexcept { return mentions; }
  void merge(EndpointRow&&);
};
using EndpointTable = BoundedTable<EndpointRow>;

/// Both together where one address stands for both.
struct NamedBroker {
  std::optional<std::int32_t> id;         ///< none: no answer named it
  std::string host;                       ///< as advertised
  std::int32_t port = -1;
  const ServerRow* server = nullptr;      ///< none: nobody talked to it at an address that says so
};
/// By id, then by address.
[[nodiscard]] std::vector<NamedBroker> named_brokers(const ServerTable&, const EndpointTable&);

}  // namespace kparse::report
