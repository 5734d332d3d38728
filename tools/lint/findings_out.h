// SPDX-License-Identifier: MIT
// Findings, written.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kparse/json.h"
#include "kparse/lint.h"
#include "output/output.h"
#include "output/text.h"

namespace kparse::findings {

struct Found {
  std::vector<Finding> findings;      ///< worst first; without those that are known
  std::uint64_t known = 0;            ///< in the baseline
  std::uint64_t left_out = 0;         ///< by Linter's bounds
  std::vector<LintLimit> limits{};    ///< ... and what rules didn't look at
  const std::vector<std::string>& captures;

  /// Name of the capture that a stamp means.
  [[nodiscard]] std::string_view capture(const Stamp& at) const {
    return at.file < captures.size() ? std::string_view(captures[at.file]) : std::string_view{};
  }
};

/// A table's name: "KP-THROTTLE: clients of an API".
[[nodiscard]] std::string table_of(const LintLimit&);
/// The first packets of a finding, each once: several frames may be in one.
[[nodiscard]] std::vector<Stamp> packets_of(const Finding&);

/// What isn't told, a sentence each: findings that were too many, tables that were full.
[[nodiscard]] std::vector<std::string> unsaid(const Found&);

/// One finding as an object: the members that COMMAND's `lint --format ndjson` names, and `packets`.
void write_finding(JsonWriter&, const Finding&, const Found&);
/// One line each; unsaid() is for standard error.
void write_ndjson(cli::Output&, const Found&);
/// {"findings":[...]}, of an open object.
void write_findings(JsonWriter&, const Found&);
/// "limits":[...], likewise: the tables that were full.
void write_limits(JsonWriter&, const Found&);
/// SARIF 2.1.0; unsaid() as notifications.
void write_sarif(cli::Output&, const Found&);
/// For people: by severity and rule, each rule with what to do. `all`: every finding, however many there are of a rule.
void print_findings(cli::Output&, const cli::Painter&, const Found&, bool all);
/// Likewise, in a few lines: for a report.
void print_top(cli::Output&, const cli::Painter&, const Found&);

}  // namespace kparse::findings
