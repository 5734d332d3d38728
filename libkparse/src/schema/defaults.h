// SPDX-License-Identifier: MIT
// A field's default, as Kafka's generator reads it from the schema ("" = the type's zero).
#pragma once

#include "kparse/bytes.h"
#include "kparse/schema.h"

namespace kparse {

[[nodiscard]] std::int64_t default_integer(const Field&) noexcept;
[[nodiscard]] double default_float(const Field&) noexcept;
[[nodiscard]] inline bool default_boolean(const Field& f) noexcept { return f.default_value == "true"; }
[[nodiscard]] bool is_zero(Bytes) noexcept;

}  // namespace kparse
