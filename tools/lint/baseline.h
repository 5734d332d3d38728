// SPDX-License-Identifier: MIT
// Findings that are known already, and stay quiet.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "kparse/lint.h"

namespace kparse::findings {

/// What tells a finding from others, in this capture and in the next one: rule, client id (its host where it has none),
/// API, topic, group, and the message but for its numbers.
[[nodiscard]] std::string fingerprint(const Finding&);

class Baseline {
 public:
  /// "" or what is wrong with the file.
  [[nodiscard]] std::string read(const std::string& file);
  [[nodiscard]] bool has(const Finding& f) const { return known_.contains(fingerprint(f)); }
  [[nodiscard]] std::size_t size() const noexcept { return known_.size(); }

 private:
  std::set<std::string> known_;
};

/// The content of a baseline file: JSON, sorted, so that a change shows in a diff.
[[nodiscard]] std::string baseline_text(std::span<const Finding>);

}  // namespace kparse::findings
