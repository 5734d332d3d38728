// SPDX-License-Identifier: MIT
#include "commands/parse.h"

#include <charconv>
#include <chrono>
#include <limits>

namespace kparse::cli {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

template <class T>
std::optional<T> parse_number(std::string_view text) noexcept {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "123456789" after a decimal point: nanoseconds. Digits past the ninth are dropped.
std::optional<std::int64_t> parse_fraction(std::string_view digits) noexcept {
  if (digits.empty()) return std::nullopt;
  std::int64_t ns = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (!is_digit(digits[i])) return std::nullopt;
    if (i < 9) ns = ns * 10 + (digits[i] - '0');
  }
  for (std::size_t i = digits.size(); i < 9; ++i) ns *= 10;
  return ns;
}

/// Takes `digits` digits and then `after` (unless 0) off the front.
std::optional<int> take(std::string_view& text, std::size_t digits, char after) noexcept {
  const std::size_t length = digits + (after != 0 ? 1 : 0);
  if (text.size() < length || (after != 0 && text[digits] != after)) return std::nullopt;
  for (std::size_t i = 0; i < digits; ++i)
    if (!is_digit(text[i])) return std::nullopt;
  const auto value = parse_number<int>(text.substr(0, digits));
  text.remove_prefix(length);
  return value;
}

constexpr std::int64_t second_ns = 1'000'000'000;
constexpr std::int64_t last_second = std::numeric_limits<std::int64_t>::max() / second_ns - 1;

std::optional<std::int64_t> in_ns(std::int64_t seconds, std::int64_t fraction) noexcept {
  if (seconds < -last_second || seconds > last_second) return std::nullopt;
  return seconds * second_ns + fraction;
}

std::optional<std::int64_t> parse_epoch(std::string_view text) noexcept {
  const auto point = text.find('.');
  const auto seconds = parse_number<std::int64_t>(text.substr(0, point));
  if (!seconds || *seconds < 0) return std::nullopt;
  if (point == std::string_view::npos) return in_ns(*seconds, 0);
  const auto fraction = parse_fraction(text.substr(point + 1));
  return fraction ? in_ns(*seconds, *fraction) : std::nullopt;
}

/// "Z", "+02:00", "-0530", "": seconds east of UTC.
std::optional<std::int64_t> parse_zone(std::string_view text) noexcept {
  if (text.empty() || text == "Z" || text == "z") return 0;
  if (text[0] != '+' && text[0] != '-') return std::nullopt;
  const int sign = text[0] == '-' ? -1 : 1;
  text.remove_prefix(1);
  const auto hours = take(text, 2, text.size() == 5 ? ':' : '\0');
  const auto minutes = take(text, 2, 0);
  if (!hours || !minutes || !text.empty() || *hours > 23 || *minutes > 59) return std::nullopt;
  return sign * (*hours * 3600 + *minutes * 60);
}

}  // namespace

std::optional<std::uint64_t> parse_size(std::string_view text) noexcept {
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  const auto number = parse_number<std::uint64_t>(text.substr(0, digits));
  if (!number) return std::nullopt;
  std::string_view unit = text.substr(digits);
  std::uint64_t factor = 1;
  if (!unit.empty() && unit != "B") {
    constexpr std::string_view letters = "KMGT";
    const auto power = letters.find(unit[0] == 'k' ? 'K' : unit[0]);
    if (power == std::string_view::npos) return std::nullopt;
    unit.remove_prefix(1);
    if (!unit.empty() && unit != "iB" && unit != "B") return std::nullopt;
    const std::uint64_t base = unit == "B" ? 1000 : 1024;
    for (std::size_t i = 0; i <= power; ++i) factor *= base;
  }
  if (*number > std::numeric_limits<std::uint64_t>::max() / factor) return std::nullopt;
  return *number * factor;
}

std::optional<std::int64_t> parse_time(std::string_view text) noexcept {
  if (text.find('-') == std::string_view::npos && text.find(':') == std::string_view::npos) return parse_epoch(text);
  const auto year = take(text, 4, '-');
  const auto month = take(text, 2, '-');
  const auto day = take(text, 2, 0);
  if (!year || !month || !day) return std::nullopt;
  using namespace std::chrono;
  const year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                            std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  const std::int64_t midnight = std::int64_t{sys_days(date).time_since_epoch().count()} * 86400;
  if (text.empty()) return in_ns(midnight, 0);
  if (text[0] != 'T' && text[0] != 't' && text[0] != ' ') return std::nullopt;
  text.remove_prefix(1);
  const auto hours = take(text, 2, ':');
  const auto minutes = take(text, 2, 0);
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  int seconds = 0;
  std::int64_t fraction = 0;
  if (!text.empty() && text[0] == ':') {
    text.remove_prefix(1);
    const auto value = take(text, 2, 0);
    if (!value || *value > 60) return std::nullopt;
    seconds = *value;
    if (!text.empty() && text[0] == '.') {
      std::size_t end = 1;
      while (end < text.size() && is_digit(text[end])) ++end;
      const auto ns = parse_fraction(text.substr(1, end - 1));
      if (!ns) return std::nullopt;
      fraction = *ns;
      text.remove_prefix(end);
    }
  }
  const auto east = parse_zone(text);
  if (!east) return std::nullopt;
  return in_ns(midnight + *hours * 3600 + *minutes * 60 + seconds - *east, fraction);
}

bool parse_ports(std::string_view text, PortSet& ports) {
  const auto dash = text.find('-');
  const auto first = parse_number<std::uint16_t>(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : parse_number<std::uint16_t>(text.substr(dash + 1));
  if (!first || !last || *first > *last) return false;
  ports.add(*first, *last);
  return true;
}

std::optional<std::array<std::uint8_t, 16>> parse_topic_id(std::string_view text) noexcept {
  std::array<std::uint8_t, 16> id{};
  if (text.size() == 22) {
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    std::uint32_t bits = 0;
    std::size_t have = 0, at = 0;
    for (const char c : text) {
      const auto value = alphabet.find(c);
      if (value == std::string_view::npos) return std::nullopt;
      bits = bits << 6 | static_cast<std::uint32_t>(value);
      have += 6;
      if (have >= 8 && at < id.size()) {
        have -= 8;
        id[at++] = static_cast<std::uint8_t>(bits >> have);
      }
    }
    return (bits & 0xf) == 0 ? std::optional(id) : std::nullopt;
  }
  std::size_t digits = 0;
  for (const char c : text) {
    if (c == '-') continue;
    const int value = is_digit(c)            ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (value < 0 || digits == 32) return std::nullopt;
    id[digits / 2] = static_cast<std::uint8_t>(id[digits / 2] << 4 | value);
    ++digits;
  }
  return digits == 32 ? std::optional(id) : std::nullopt;
}

}  // namespace kparse::cli
