// SPDX-License-Identifier: MIT
// An address and a port.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kparse::capture {

struct Endpoint {
  std::array<std::uint8_t, 16> ip{};  ///< an IPv4 address is in the first four
  std::uint16_t port = 0;
  bool v6 = false;

  auto operator<=>(const Endpoint&) const = default;
  /// "192.0.2.1:9092", "[2001:db8::1]:9092" (RFC 5952).
  [[nodiscard]] std::string text() const;
  /// Without the port and the brackets.
  [[nodiscard]] std::string address() const;
};

/// The reverse of text().
[[nodiscard]] std::optional<Endpoint> parse_endpoint(std::string_view);

}  // namespace kparse::capture
