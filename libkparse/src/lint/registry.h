// SPDX-License-Identifier: MIT
// The rules that there are.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "lint/rule.h"

namespace kparse::lint {

inline constexpr std::size_t max_rules = 256;

/// Ordered by id: a rule's place is its number.
[[nodiscard]] std::span<const RuleEntry* const> entries() noexcept;
/// -1: no such rule.
[[nodiscard]] int rule_number(std::string_view id) noexcept;
/// Numbers in the order in which rules are called: those of `instead` before the others.
[[nodiscard]] std::vector<int> calling_order();
/// Chosen by these options.
[[nodiscard]] bool chosen(const LintOptions&, std::string_view id) noexcept;
/// The values of a rule's options, in their order.
[[nodiscard]] std::vector<double> values_of(const LintOptions&, const RuleInfo&);

}  // namespace kparse::lint
