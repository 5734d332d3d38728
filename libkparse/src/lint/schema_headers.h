// SPDX-License-Identifier: MIT
// Headers in which newer serializers of a schema registry name the schema, in place of the prefix.
#pragma once

#include <string_view>

#include "kparse/bytes.h"

namespace kparse::lint {

[[nodiscard]] inline bool is_schema_header(std::string_view name) noexcept {
  return name == "__value_schema_id" || name == "__key_schema_id";
}

/// 0 and an int32, or 1 and a GUID.
[[nodiscard]] inline bool is_schema_id(Bytes v) noexcept {
  return (v.size() == 5 && v[0] == 0) || (v.size() == 17 && v[0] == 1);
}

}  // namespace kparse::lint
