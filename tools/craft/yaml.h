// SPDX-License-Identifier: MIT
// YAML, and JSON, which is YAML too.
#pragma once

#include <string>

#include "craft/item.h"

namespace kparse::craft {

/// Throws ScriptError. Plain scalars are null, booleans and numbers where they look like it (true, not yes); what is in
/// quotes is text. `!hex 00ff` and `!!binary AP8=` are bytes. Anchors and aliases work; documents after the first, names
/// that come twice and more than 64 levels are refused.
[[nodiscard]] Item parse_script(const std::string& text);

/// Hex digits in pairs, blanks between them ignored. Throws.
[[nodiscard]] std::string parse_hex(const std::string& text, int line);

}  // namespace kparse::craft
