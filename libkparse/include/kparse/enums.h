// SPDX-License-Identifier: MIT
// Names of the numbers that fields carry (ISOLATION: 1 = READ_COMMITTED). Source: libkparse/schema/enums.k.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "kparse/error.h"

namespace kparse {

struct EnumValue {
  std::int32_t value;
  std::string_view name;
};

struct Enumeration {
  std::string_view name;  ///< "IsolationLevel"
  std::span<const EnumValue> values;
};

[[nodiscard]] std::span<const Enumeration> enumerations() noexcept;
/// nullptr: none of this name.
[[nodiscard]] const Enumeration* find_enumeration(std::string_view name) noexcept;
/// The enumeration whose numbers this field holds; nullptr: plain number. O(log n).
[[nodiscard]] const Enumeration* enumeration_of(NodeId) noexcept;
/// "" when the value isn't known: show the number.
[[nodiscard]] std::string_view value_name(const Enumeration&, std::int64_t value) noexcept;

}  // namespace kparse
