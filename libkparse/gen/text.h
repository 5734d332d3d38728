// SPDX-License-Identifier: MIT
// Text and range functions shared by the parts of kschema.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model.h"

namespace kschema {

std::vector<std::string> split(std::string_view text, char at);
/// Words, separated by blanks.
std::vector<std::string> words(std::string_view text);
std::optional<long long> number(std::string_view text);
/// "0-12", "13+" (to `last`), "7", "none" (empty); nullopt: no range.
std::optional<Range> range(std::string_view text, int last);
/// "13+" where the range goes to `last`, else "0-12" or "7"; "none" when empty.
std::string to_text(const Range& r, int last);
/// The hull of two ranges that touch or overlap; nullopt when there is a hole between them.
std::optional<Range> join(const Range& a, const Range& b);
Range clip(const Range& r, const Range& to);

std::string snake_case(std::string_view camel);
std::string lower_first(std::string_view name);
bool ends_with(std::string_view text, std::string_view tail);

bool known_type(std::string_view type);
bool integer_type(std::string_view type);
/// A default in its one spelling: decimal, lower case; nullopt when it is the type's zero. `problem` when it doesn't
/// fit the type.
std::optional<std::string> normal_default(const Field& field, std::string_view text, std::string& problem);

/// The layout of one version in one line: the oracle of the tests, and the drift check of `import`.
std::string layout(const std::vector<Field>& fields, int version);

}  // namespace kschema
