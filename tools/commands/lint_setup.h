// SPDX-License-Identifier: MIT
// The options of lint, from the command line and the configuration file.
#pragma once

#include <string>
#include <vector>

#include "commands/command.h"
#include "kparse/lint.h"
#include "lint/baseline.h"
#include "lint/findings_out.h"
#include "lint/settings.h"
#include "pipeline/summary.h"

namespace kparse::cli {

/// --config, --no-config: the file, read.
class ConfigOptions {
 public:
  void add(CLI::App&);
  /// False: what is wrong was said.
  [[nodiscard]] bool load(Context&, findings::Config&) const;

 private:
  std::string file_;
  bool none_ = false;
};

/// What rules there are, and how they are set.
class RuleOptions {
 public:
  void add(CLI::App&);
  [[nodiscard]] bool given() const noexcept { return !(select_.empty() && ignore_.empty() && set_.empty() && compacted_.empty()); }
  /// The command line's word counts more than the configuration's: its --select stands alone, the others are added.
  /// status_done, or the status to end with: what is wrong was said.
  [[nodiscard]] int load(Context&, std::string_view command, const findings::Config&, LintOptions&) const;

 private:
  std::vector<std::string> select_, ignore_, set_, compacted_;
};

/// The last packet of what was read.
[[nodiscard]] Stamp end_of(const Summary&) noexcept;

}  // namespace kparse::cli
