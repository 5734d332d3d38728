// SPDX-License-Identifier: MIT
// Source: Confluent's AbstractKafkaSchemaSerDe, SchemaId (GUID), MessageIndexes; AWS Glue's wire format; Apicurio's
// DefaultIdHandler.
#include <cstring>

#include "kparse/varint.h"
#include "kparse/wrappers.h"

namespace kparse {

namespace {

struct Layout {
  std::uint8_t first;
  std::size_t size;
  std::size_t id, uuid;  // where; 0: none
};

constexpr Layout layout_of(SchemaPrefix::Form f) noexcept {
  switch (f) {
    case SchemaPrefix::Form::confluent_guid:
      return {1, 17, 0, 1};
    case SchemaPrefix::Form::glue:
      return {3, 18, 0, 2};
    case SchemaPrefix::Form::apicurio:
      return {0, 9, 1, 0};
    case SchemaPrefix::Form::confluent:
      break;
  }
  return {0, 5, 1, 0};
}

}  // namespace

bool read_schema_prefix(Bytes in, SchemaPrefix::Form form, SchemaPrefix& out) noexcept {
  const Layout l = layout_of(form);
  if (in.size() < l.size || in[0] != l.first) return false;
  out = {};
  out.form = form;
  if (l.id) out.id = l.size == 9 ? load_be<std::int64_t>(in.data() + 1) : load_be<std::int32_t>(in.data() + 1);
  if (l.uuid) std::memcpy(out.uuid.data(), in.data() + l.uuid, out.uuid.size());
  if (form == SchemaPrefix::Form::glue) out.compression = in[1];
  out.payload = in.subspan(l.size);
  return true;
}

void write_schema_prefix(const SchemaPrefix& p, Writer& out) noexcept {
  const Layout l = layout_of(p.form);
  out.be(l.first);
  if (p.form == SchemaPrefix::Form::glue) out.be(p.compression);
  if (p.form == SchemaPrefix::Form::apicurio) {
    out.be(p.id);
  } else if (l.id) {
    out.be(static_cast<std::int32_t>(p.id));
  }
  if (l.uuid) out.bytes(p.uuid);
  out.bytes(p.payload);
}

bool read_message_indexes(Bytes payload, MessageIndexes& out) noexcept {
  const std::uint8_t* at = payload.data();
  const std::uint8_t* const end = at + payload.size();
  std::int32_t count = 0;
  if (!(at = read_varint(at, end, count)) || count < 0 || static_cast<std::size_t>(count) > MessageIndexes::most)
    return false;
  out = {};
  for (std::int32_t i = 0; i < count; ++i) {
    std::int32_t& item = out.items[static_cast<std::size_t>(i)];
    if (!(at = read_varint(at, end, item)) || item < 0) return false;
  }
  out.count = static_cast<std::size_t>(count == 0 ? 1 : count);
  out.message = {at, static_cast<std::size_t>(end - at)};
  return true;
}

void write_message_indexes(std::span<const std::int32_t> items, Writer& out) noexcept {
  if (items.empty() || (items.size() == 1 && items[0] == 0)) return out.varint(0);
  out.varint(static_cast<std::int32_t>(items.size()));
  for (const std::int32_t i : items) out.varint(i);
}

}  // namespace kparse
