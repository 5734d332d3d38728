// SPDX-License-Identifier: MIT
// Members of an object beside the schema's fields, and which of them are at their default.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kparse/schema.h"
#include "kparse/value.h"

namespace kparse {

inline constexpr std::string_view unknown_tags_member = "$tags";
inline constexpr std::string_view decoded_suffix = ".decoded";

/// A struct's rows, of all versions, and the member that stands for each.
struct FieldList {
  static constexpr std::size_t max = 32;  ///< more than any struct of the schema has (a test says so)
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  explicit FieldList(NodeId structure) noexcept;
  /// Row of this name, looked for from `hint` on; `count`: none.
  [[nodiscard]] std::size_t find(std::string_view name, std::size_t hint) const noexcept;

  std::size_t count = 0;
  std::array<NodeId, max> node;
  std::array<std::size_t, max> member;  ///< index in the object; none: left out
  std::size_t tags = none;              ///< index of "$tags"
};

/// Fills `list`; of members with the same name the last one counts. `unknown(name)` is called for those that the
/// schema lacks. O(members), where they come in the schema's order.
template <class F>
void match(const ValueSource& source, const Value& object, FieldList& list, F&& unknown) noexcept {
  for (std::size_t i = 0, next = 0; i < object.size; ++i) {
    const std::string_view name = source.member(object, i).name;
    if (const std::size_t at = list.find(name, next); at < list.count) {
      list.member[at] = i;
      next = at + 1;
    } else if (name == unknown_tags_member) {
      list.tags = i;
    } else if (!name.ends_with(decoded_suffix)) {
      unknown(name);
    }
  }
}

/// Is it something else than the field's default? As the generated classes compare: of structs all fields count, also
/// those of other versions. A value of a wrong type differs.
[[nodiscard]] bool differs_from_default(const ValueSource&, NodeId, const Value&) noexcept;

}  // namespace kparse
