// SPDX-License-Identifier: MIT
// The rules of lint, explained.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kparse/json.h"
#include "kparse/lint.h"
#include "output/output.h"
#include "output/text.h"

namespace kparse::findings {

using Rules = std::span<const RuleInfo* const>;

/// What stands between "; " in RuleInfo::sources.
[[nodiscard]] std::vector<std::string_view> sources_of(const RuleInfo&);
/// "500 ms", "0.05", "104857600 bytes".
[[nodiscard]] std::string value_text(const RuleOption&);

/// One line each.
void print_rules(cli::Output&, const cli::Painter&, Rules);
void print_rule(cli::Output&, const cli::Painter&, const RuleInfo&);
/// "rules":[...], of an open object.
void write_rules(JsonWriter&, Rules);
/// The page tools/lint/RULES.md.
[[nodiscard]] std::string rules_page(Rules);

}  // namespace kparse::findings
