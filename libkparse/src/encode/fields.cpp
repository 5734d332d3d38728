// SPDX-License-Identifier: MIT
#include "encode/fields.h"

#include "encode/scalar.h"
#include "schema/defaults.h"

namespace kparse {
namespace {

bool uuid_differs(const Value& v) noexcept {
  std::uint8_t id[16];
  if (v.kind == Value::Kind::bytes) return v.data.size() != sizeof id || !is_zero(v.data);
  return v.kind != Value::Kind::string || !uuid_decode(text(v.data), id) || !is_zero(id);
}

bool struct_differs(const ValueSource& source, NodeId n, const Value& v) noexcept {
  if (v.kind != Value::Kind::object) return true;
  FieldList list(n);
  match(source, v, list, [](std::string_view) {});
  if (list.tags != FieldList::none) {
    const Value tags = source.member(v, list.tags).value;
    if (tags.kind != Value::Kind::array || tags.size > 0) return true;
  }
  for (std::size_t i = 0; i < list.count; ++i)
    if (list.member[i] != FieldList::none &&
        differs_from_default(source, list.node[i], source.member(v, list.member[i]).value))
      return true;
  return false;
}

}  // namespace

FieldList::FieldList(NodeId structure) noexcept {
  const auto end = static_cast<NodeId>(structure + field(structure).below);
  for (auto n = static_cast<NodeId>(structure + 1); n <= end && count < max;
       n = static_cast<NodeId>(n + 1 + field(n).below)) {
    node[count] = n;
    member[count] = none;
    ++count;
  }
}

std::size_t FieldList::find(std::string_view name, std::size_t hint) const noexcept {
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t at = hint + k < count ? hint + k : hint + k - count;
    if (field(node[at]).name == name) return at;
  }
  return count;
}

bool differs_from_default(const ValueSource& source, NodeId n, const Value& v) noexcept {
  const Field& f = field(n);
  const bool null_is_default = f.default_value == "null" || (f.type == Type::records && !f.array);
  if (v.kind == Value::Kind::null) return !null_is_default;
  if (null_is_default) return true;
  if (f.array) return v.kind != Value::Kind::array || v.size > 0;
  switch (f.type) {
    case Type::boolean:
      return v.kind != Value::Kind::boolean || v.boolean != default_boolean(f);
    case Type::float64:
      return float_of(v) != default_float(f);
    case Type::uuid:
      return uuid_differs(v);
    case Type::string:
      return v.kind != Value::Kind::string || text(v.data) != f.default_value;
    case Type::bytes:
    case Type::records:
      return !v.data.empty() || (v.kind != Value::Kind::string && v.kind != Value::Kind::bytes);
    case Type::structure:
      return struct_differs(source, n, v);
    default:
      return integer_of(v) != default_integer(f);
  }
}

}  // namespace kparse
