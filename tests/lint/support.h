// SPDX-License-Identifier: MIT
// Scripts, linted: craft, the pipeline and the rules in one process.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kparse/lint.h"

namespace kparse::test {

struct Fixture {
  std::string hit, miss;                ///< scripts for craft; "" absent
  std::vector<std::string> also;        ///< other rules that speak rightly
  std::string message;                  ///< "" not given
  std::uint64_t count = 0;              ///< 0 not given
  LintOptions options;
};

/// tests/lint/NAME.
[[nodiscard]] std::string lint_folder(const std::string& name);
/// Files NAME.yaml of a folder, without .yaml, sorted.
[[nodiscard]] std::vector<std::string> fixtures_of(const std::string& folder);
/// Throws std::runtime_error that says what is wrong.
[[nodiscard]] Fixture read_fixture(const std::string& file);

/// What the rules say of a script's capture, and of several as rotated files. Likewise.
[[nodiscard]] std::vector<Finding> lint(const std::string& script, const LintOptions&);
[[nodiscard]] std::vector<Finding> lint_files(const std::vector<std::string>& captures, const LintOptions&);
/// The capture of a script, as bytes of a pcapng.
[[nodiscard]] std::string crafted(const std::string& script);

/// "warning KP-X: message", a line each: for messages of tests.
[[nodiscard]] std::string text_of(const std::vector<Finding>&);

}  // namespace kparse::test
