// SPDX-License-Identifier: MIT
// What else may be on a port: names for the first bytes of other protocols, and the PROXY protocol header.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "kparse/bytes.h"

namespace kparse {

/// How a stream begins.
struct Foreign {
  std::string_view what;  ///< "TLS", "HTTP", ...; "" none of the known ones
  bool sure = false;  ///< no Kafka frame begins so; else only if the bytes aren't Kafka (ZooKeeper's frames look alike)
};

/// Looks at the first bytes that one side sent. Sources: the protocols' own specifications.
[[nodiscard]] Foreign name_foreign(Bytes) noexcept;

/// A PROXY protocol header (HAProxy's proxy-protocol.txt, versions 1 and 2).
struct ProxyHeader {
  enum class State { none, cut, whole };
  State state = State::none;
  std::size_t length = 0;
  std::string client;  ///< "ip:port", "[ipv6]:port"; "" when it names none (LOCAL, UNKNOWN)
};
[[nodiscard]] ProxyHeader read_proxy_header(Bytes);

}  // namespace kparse
