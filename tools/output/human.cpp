// SPDX-License-Identifier: MIT
#include "output/human.h"

#include <chrono>
#include <iterator>

#include <fmt/format.h>

namespace kparse::cli {
namespace {

constexpr std::int64_t second_ns = 1'000'000'000;

/// Three significant digits, no exponent: 1.23, 12.3, 123.
std::string three_digits(double value) {
  if (value < 9.995) return fmt::format("{:.2f}", value);
  if (value < 99.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

struct Civil {
  int year;
  unsigned month, day;
  std::int64_t hours, minutes, seconds, ns;
};

/// By hand, because the C library's gmtime can't do years that hostile timestamps name, and is locale's business.
Civil civil_of(std::int64_t ns) noexcept {
  using namespace std::chrono;
  const nanoseconds t(ns);
  const auto day = floor<days>(t);
  const year_month_day date{sys_days(day)};
  const std::int64_t in_day = (t - day).count();
  return {static_cast<int>(date.year()),
          static_cast<unsigned>(date.month()),
          static_cast<unsigned>(date.day()),
          in_day / (3600 * second_ns),
          in_day / (60 * second_ns) % 60,
          in_day / second_ns % 60,
          in_day % second_ns};
}

}  // namespace

std::string human_bytes(std::uint64_t bytes) {
  static constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1023.5 && unit + 1 < std::size(units)) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", three_digits(value), units[unit]);
}

std::string human_duration(std::int64_t ns) {
  if (ns < 0) return ns == INT64_MIN ? "-292 y" : "-" + human_duration(-ns);
  if (ns < 1000) return fmt::format("{} ns", ns);
  const double value = static_cast<double>(ns);
  if (value < 999.5e3) return three_digits(value / 1e3) + " µs";
  if (value < 999.5e6) return three_digits(value / 1e6) + " ms";
  if (value < 59.95e9) return three_digits(value / 1e9) + " s";
  const std::int64_t seconds = (ns + second_ns / 2) / second_ns;
  if (seconds < 3600) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  if (seconds < 86400) return fmt::format("{} h {} min", seconds / 3600, seconds / 60 % 60);
  return fmt::format("{} d {} h", seconds / 86400, seconds / 3600 % 24);
}

std::string human_count(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string human_share(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string human_time(std::int64_t ns) {
  const Civil c = civil_of(ns);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:03}", c.year, c.month, c.day, c.hours, c.minutes, c.seconds,
                     c.ns / 1'000'000);
}

std::string rfc3339(std::int64_t ns) {
  char out[rfc3339_size];
  return std::string(rfc3339(ns, out));
}

std::string_view rfc3339(std::int64_t ns, std::span<char, rfc3339_size> out) noexcept {
  const Civil c = civil_of(ns);
  char* at = out.data();
  const auto put = [&at](std::int64_t value, int digits, char after) {
    for (int i = digits; i-- > 0; value /= 10) at[i] = static_cast<char>('0' + value % 10);
    at += digits;
    *at++ = after;
  };
  put(c.year, 4, '-');  // an int64 of nanoseconds reaches from 1677 to 2262
  put(c.month, 2, '-');
  put(c.day, 2, 'T');
  put(c.hours, 2, ':');
  put(c.minutes, 2, ':');
  put(c.seconds, 2, '.');
  put(c.ns, 9, 'Z');
  return {out.data(), out.size()};
}

}  // namespace kparse::cli
