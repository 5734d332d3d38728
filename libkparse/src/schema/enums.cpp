// SPDX-License-Identifier: MIT
#include "kparse/enums.h"

#include <algorithm>

#include "schema/tables.h"

namespace kparse {

std::span<const Enumeration> enumerations() noexcept { return tables::enumerations; }

const Enumeration* find_enumeration(std::string_view name) noexcept {
  const auto all = tables::enumerations;
  const auto at = std::find_if(all.begin(), all.end(), [&](const Enumeration& e) { return e.name == name; });
  return at == all.end() ? nullptr : &*at;
}

const Enumeration* enumeration_of(NodeId node) noexcept {
  const auto rows = tables::enum_uses;
  const auto at = std::lower_bound(rows.begin(), rows.end(), node,
                                   [](const tables::EnumUse& use, NodeId n) { return use.node < n; });
  return at != rows.end() && at->node == node ? &tables::enumerations[at->at] : nullptr;
}

std::string_view value_name(const Enumeration& e, std::int64_t value) noexcept {
  for (const EnumValue& v : e.values)
    if (v.value == value) return v.name;
  return {};
}

}  // namespace kparse
