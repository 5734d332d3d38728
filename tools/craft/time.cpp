// SPDX-License-Identifier: MIT
#include "craft/time.h"

#include <chrono>
#include <cstdio>

#include "craft/item.h"

namespace kparse::craft {

std::int64_t parse_start(const std::string& text, int line) {
  int y = 0, mo = 0, d = 0, h = 0, mi = 0, used = 0;
  double s = 0;
  const bool date = std::sscanf(text.c_str(), "%4d-%2d-%2d%n", &y, &mo, &d, &used) == 3;
  std::string rest = date ? text.substr(static_cast<std::size_t>(used)) : "";
  bool good = date && rest.empty();
  if (date && !rest.empty()) {
    used = 0;
    good = std::sscanf(rest.c_str(), "%*1[T ]%2d:%2d:%lfZ%n", &h, &mi, &s, &used) == 3 && static_cast<std::size_t>(used) == rest.size();
  }
  const std::chrono::year_month_day day{std::chrono::year(y), std::chrono::month(static_cast<unsigned>(mo)), std::chrono::day(static_cast<unsigned>(d))};
  if (!good || !day.ok() || y < 1970 || y > 2200 || h > 23 || mi > 59 || h < 0 || mi < 0 || !(s >= 0 && s < 61))
    throw ScriptError(line, "a time is needed: 2026-01-02T03:04:05Z");
  const std::int64_t seconds = std::chrono::sys_days(day).time_since_epoch().count() * 86400ll + h * 3600 + mi * 60;
  return seconds * 1'000'000'000 + static_cast<std::int64_t>(s * 1e9);
}

}  // namespace kparse::craft
