// SPDX-License-Identifier: GPL-2.0-or-later
// What a record's value looks like, by its bytes alone: Kafka doesn't say.
#pragma once

#include <cstdint>

#include "kparse/bytes.h"

namespace kparse::dissector {

enum class ValueKind : std::uint8_t { bytes, text, json };

/// text: UTF-8 without control characters but for line breaks and tabs. json: text in braces or brackets.
[[nodiscard]] ValueKind kind_of(Bytes) noexcept;

[[nodiscard]] const char* ending_of(ValueKind) noexcept;     ///< ".bin", ".txt", ".json"
[[nodiscard]] const char* content_type(ValueKind) noexcept;  ///< "application/octet-stream", "text/plain", ...

}  // namespace kparse::dissector
