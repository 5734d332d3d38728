// SPDX-License-Identifier: MIT
// What lint is asked: from the command line and from .kparse.toml.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kparse/lint.h"

namespace kparse::findings {

/// "error", "warning", "notice", "info"; nullopt: another word.
[[nodiscard]] std::optional<Severity> parse_severity(std::string_view) noexcept;

/// From which severity on findings make the exit status 1.
struct FailOn {
  bool given = false;
  std::optional<Severity> at_least;   ///< nullopt: none does
};
/// A severity or "never"; nullopt: another word.
[[nodiscard]] std::optional<FailOn> parse_fail_on(std::string_view) noexcept;

/// Adds "RULE.option=value" to `options`. "" or what is wrong with it.
[[nodiscard]] std::string add_setting(LintOptions& options, std::string_view text);

/// A line of .kparse.toml that is wrong, or the whole file.
struct ConfigError {
  std::string message;   ///< "" none
  int line = 0;          ///< 0: no line
};

/// .kparse.toml.
struct Config {
  std::string file;                ///< "" there is none
  LintOptions lint;                ///< select, ignore, set and compacted
  std::string baseline;            ///< beside the file unless it is absolute; "" none
  FailOn fail_on;
  std::string audit_target;        ///< "" not given
  std::string audit_fail_on;       ///< "refused", "unknown", "never"; "" not given
};

/// The nearest .kparse.toml: in `folder` or one above it. "" none.
[[nodiscard]] std::string find_config(const std::string& folder);
/// Unknown names, rules and options are errors.
[[nodiscard]] ConfigError read_config(const std::string& file, Config&);

}  // namespace kparse::findings
