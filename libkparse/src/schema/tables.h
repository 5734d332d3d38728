// SPDX-License-Identifier: MIT
// The tables that kschema writes from the .k files: constant data, nothing runs at start-up.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "kparse/enums.h"
#include "kparse/releases.h"
#include "kparse/schema.h"

namespace kparse::tables {

struct NameRow {
  std::string_view name;
  std::uint16_t at;
};

struct TypeRow {
  Kind kind;
  std::string_view area;
  std::int16_t type;
  std::uint16_t message;
};

struct EnumUse {
  NodeId node;
  std::uint16_t at;
};

extern const std::span<const Field> fields;
extern const std::span<const Message> messages;
extern const std::span<const AltLayout> alt_layouts;
extern const std::span<const Api> apis;                 ///< by key
extern const std::span<const std::int16_t> api_by_key;  ///< index into apis, -1 = none
extern const std::span<const NameRow> message_names;    ///< sorted
extern const std::span<const NameRow> api_names;        ///< sorted, former names too
extern const std::span<const TypeRow> record_types;     ///< sorted by kind, area, type
extern const std::span<const ErrorName> errors;         ///< sorted by code
extern const std::span<const EnumValue> enum_values;
extern const std::span<const Enumeration> enumerations;
extern const std::span<const EnumUse> enum_uses;  ///< sorted by node
extern const std::span<const std::string_view> releases;
extern const std::span<const Support> support;  ///< [api][release]
extern const std::size_t current_release;

}  // namespace kparse::tables
