// SPDX-License-Identifier: MIT
// Numbers for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace kparse::cli {

/// "17 B", "1.4 KiB", "256 MiB": powers of 1024, three significant digits.
[[nodiscard]] std::string human_bytes(std::uint64_t bytes);
/// "850 ns", "1.25 ms", "12.4 s", "3 min 20 s", "2 h 5 min", "4 d 3 h". Three significant digits below a minute.
[[nodiscard]] std::string human_duration(std::int64_t ns);
/// "1,234,567".
[[nodiscard]] std::string human_count(std::uint64_t);
/// "12.5 %"; "-" when `whole` is 0.
[[nodiscard]] std::string human_share(std::uint64_t part, std::uint64_t whole);
/// "2024-05-01 12:00:00.123", UTC, cut to milliseconds.
[[nodiscard]] std::string human_time(std::int64_t ns);
/// "2024-05-01T12:00:00.123456789Z": RFC 3339, UTC, always nine digits.
[[nodiscard]] std::string rfc3339(std::int64_t ns);
inline constexpr std::size_t rfc3339_size = 30;
/// The same in `out`, for a line a record.
[[nodiscard]] std::string_view rfc3339(std::int64_t ns, std::span<char, rfc3339_size> out) noexcept;

}  // namespace kparse::cli
