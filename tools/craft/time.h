// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace kparse::craft {

/// "2026-01-02T03:04:05.678Z" (RFC 3339, UTC), the date alone too: nanoseconds since 1970. Throws ScriptError.
[[nodiscard]] std::int64_t parse_start(const std::string& text, int line);

}  // namespace kparse::craft
