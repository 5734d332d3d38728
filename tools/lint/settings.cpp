// SPDX-License-Identifier: MIT
#include "lint/settings.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace kparse::findings {

std::optional<Severity> parse_severity(std::string_view text) noexcept {
  for (const Severity s : {Severity::info, Severity::notice, Severity::warning, Severity::error})
    if (text == name_of(s)) return s;
  return std::nullopt;
}

std::optional<FailOn> parse_fail_on(std::string_view text) noexcept {
  if (text == "never") return FailOn{.given = true, .at_least = std::nullopt};
  const std::optional<Severity> severity = parse_severity(text);
  if (!severity) return std::nullopt;
  return FailOn{.given = true, .at_least = severity};
}

std::string add_setting(LintOptions& options, std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || text.substr(0, equals).find('.') == std::string_view::npos)
    return fmt::format("'{}' is not of the form RULE.option=value", text);
  const std::string_view name = text.substr(0, equals), number = text.substr(equals + 1);
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc{} || end != number.data() + number.size())
    return fmt::format("'{}' is not a number: {}", number, text);
  if (!std::isfinite(value) || value < 0) return fmt::format("'{}' is no threshold: {}", number, text);
  LintOptions alone;
  alone.set.emplace(name, value);
  if (std::string wrong = wrong_with(alone); !wrong.empty()) return wrong;
  options.set[std::string(name)] = value;
  return {};
}

}  // namespace kparse::findings
