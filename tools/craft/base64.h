// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kparse::craft {

/// RFC 4648, blanks ignored; throws ScriptError.
[[nodiscard]] std::string decode_base64(const std::string& text, int line);

}  // namespace kparse::craft
