// SPDX-License-Identifier: MIT
// JSON for people: one member a line, indented, without the punctuation.
#pragma once

#include <string>
#include <string_view>

#include "output/text.h"

namespace kparse::cli {

/// Appends the members of the object `json` as indented lines ("name  value"; short arrays of numbers on one line).
/// Text from captures is made printable. What is no JSON object is appended as it is.
void append_json_as_text(std::string& to, std::string_view json, int indent, const Painter&);

}  // namespace kparse::cli
