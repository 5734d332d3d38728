// SPDX-License-Identifier: MIT
// How grave an error code is, and what to do about it. The table is error_severity.txt.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "kparse/lint.h"

namespace kparse::lint {

struct ErrorAdvice {
  std::int16_t code;
  std::string_view name;
  Severity severity;
  std::string_view kind;                      ///< "self-healing", "config", "access", ...
  std::string_view but;                       ///< "Api=severity " for each API where it is another one
  std::span<const std::string_view> instead;  ///< rules that say it more exactly
  std::string_view advice;

  /// In an answer to this API.
  [[nodiscard]] Severity in(std::string_view api) const noexcept;
};

/// Ordered by code; without 0.
[[nodiscard]] std::span<const ErrorAdvice> error_advice() noexcept;
/// nullptr: a code that isn't known.
[[nodiscard]] const ErrorAdvice* error_advice(int code) noexcept;

}  // namespace kparse::lint
