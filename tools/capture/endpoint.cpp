// SPDX-License-Identifier: MIT
#include "capture/endpoint.h"

#include <arpa/inet.h>

#include <charconv>

namespace kparse::capture {

std::string Endpoint::address() const {
  char s[INET6_ADDRSTRLEN] = {};
  inet_ntop(v6 ? AF_INET6 : AF_INET, ip.data(), s, sizeof s);
  return s;
}

std::string Endpoint::text() const { return (v6 ? "[" + address() + "]" : address()) + ":" + std::to_string(port); }

std::optional<Endpoint> parse_endpoint(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  Endpoint e;
  const std::string_view port = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), e.port);
  if (error != std::errc{} || end != port.data() + port.size()) return std::nullopt;
  std::string address(text.substr(0, colon));
  e.v6 = address.size() > 2 && address.front() == '[' && address.back() == ']';
  if (e.v6) address = address.substr(1, address.size() - 2);
  if (inet_pton(e.v6 ? AF_INET6 : AF_INET, address.c_str(), e.ip.data()) != 1) return std::nullopt;
  return e;
}

}  // namespace kparse::capture
