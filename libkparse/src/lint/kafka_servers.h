// SPDX-License-Identifier: MIT
// Is a port Kafka's? For bytes on it that aren't.
#pragma once

#include <charconv>
#include <set>
#include <string>
#include <string_view>

#include "lint/rule.h"

namespace kparse::lint {

/// Servers that speak Kafka in the capture. Ask when all of it was seen.
class KafkaServers {
 public:
  explicit KafkaServers(Rule& r) : room_(r, "ports of Kafka") {}

  void learn(const Conn& c) {
    if (!c.kafka) return;
    const std::string_view port = port_of(c.server());
    if (!ports_.contains(port) && room_.beside(ports_.size())) ports_.emplace(port);
  }
  /// Somebody speaks Kafka on this port, or it is the usual one for it: 9092 to 9096 and 9098, also with a digit in front.
  [[nodiscard]] bool likely(std::string_view server) const {
    const std::string_view port = port_of(server);
    if (ports_.contains(port)) return true;
    int n = 0;
    std::from_chars(port.data(), port.data() + port.size(), n);
    n %= 10'000;
    return (n >= 9092 && n <= 9096) || n == 9098;
  }

 private:
  static std::string_view port_of(std::string_view endpoint) { return endpoint.substr(endpoint.rfind(':') + 1); }
  std::set<std::string, std::less<>> ports_;
  Room room_;
};

/// Text of an address and its side: "client 10.0.0.1:4711".
[[nodiscard]] inline std::string_view name_of_side(Side s) noexcept { return s == Side::client ? "client" : "server"; }
[[nodiscard]] inline std::string_view address_of(const Conn& c, Side s) noexcept {
  return s == Side::client ? c.client() : c.server();
}

}  // namespace kparse::lint
