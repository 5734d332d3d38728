// SPDX-License-Identifier: MIT
// Values on the command line. Each returns nothing when the text isn't of its kind.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "pipeline/options.h"

namespace kparse::cli {

/// "4096", "64K", "256M", "256MiB" (powers of 1024), "2GB" (powers of 1000).
[[nodiscard]] std::optional<std::uint64_t> parse_size(std::string_view) noexcept;
/// Nanoseconds since 1970 from RFC 3339 ("2024-05-01T12:00:00.5Z", also with a blank, without the zone: UTC, or the
/// date alone) or from seconds since 1970 ("1714564800.25").
[[nodiscard]] std::optional<std::int64_t> parse_time(std::string_view) noexcept;
/// Adds "9092" or "19092-19094".
[[nodiscard]] bool parse_ports(std::string_view, PortSet&);
/// A topic id as Kafka prints it (22 characters of base64url), or as 32 hex digits with or without dashes.
[[nodiscard]] std::optional<std::array<std::uint8_t, 16>> parse_topic_id(std::string_view) noexcept;

}  // namespace kparse::cli
