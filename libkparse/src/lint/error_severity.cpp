// SPDX-License-Identifier: MIT
#include "lint/error_severity.h"

#include <algorithm>
#include <array>

namespace kparse::lint {
namespace {

#include "error_severity_table.inc"

static_assert(std::ranges::is_sorted(rows, {}, &ErrorAdvice::code));

}  // namespace

Severity ErrorAdvice::in(std::string_view api) const noexcept {
  for (std::string_view rest = but; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find(' '));
    rest.remove_prefix(one.size() + 1);
    const std::size_t middle = one.find('=');
    if (one.substr(0, middle) != api) continue;
    for (const Severity s : {Severity::info, Severity::notice, Severity::warning, Severity::error})
      if (name_of(s) == one.substr(middle + 1)) return s;
  }
  return severity;
}

std::span<const ErrorAdvice> error_advice() noexcept { return rows; }

const ErrorAdvice* error_advice(int code) noexcept {
  const auto at = std::ranges::lower_bound(rows, code, {}, &ErrorAdvice::code);
  return at != std::end(rows) && at->code == code ? at : nullptr;
}

}  // namespace kparse::lint
