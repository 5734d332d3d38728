// SPDX-License-Identifier: GPL-2.0-or-later
#include "item_writer.h"

namespace kparse::dissector {

proto_item* ItemWriter::make(int field, int at, int length, std::int64_t v) const {
  switch (proto_registrar_get_nth(static_cast<unsigned>(field))->type) {
    case FT_BOOLEAN:
      return proto_tree_add_boolean(tree, field, tvb, at, length, v != 0);
    case FT_INT64:
      return proto_tree_add_int64(tree, field, tvb, at, length, v);
    case FT_UINT64:
      return proto_tree_add_uint64(tree, field, tvb, at, length, static_cast<guint64>(v));
    case FT_UINT8:
    case FT_UINT16:
    case FT_UINT32:
      return proto_tree_add_uint(tree, field, tvb, at, length, static_cast<guint32>(v));
    default:
      return proto_tree_add_int(tree, field, tvb, at, length, static_cast<gint32>(v));
  }
}

void ItemWriter::twin_time(int field, int at, int length, std::int64_t ms) const {
  if (!wants_twin(field)) return;
  const nstime_t time = time_of_ms(ms);
  hidden(proto_tree_add_time(tree, field, tvb, at, length, &time));
}

void ItemWriter::twin_bytes(int field, int at, int length, Bytes v) const {
  if (wants_twin(field))
    hidden(proto_tree_add_bytes_with_length(tree, field, tvb, at, length, v.data(), static_cast<int>(v.size())));
}

void ItemWriter::twin_text(int field, int at, int length, std::string_view v) const {
  if (wants_twin(field)) hidden(proto_tree_add_string(tree, field, tvb, at, length, text_to_copy(v, pinfo)));
}

proto_item* ItemWriter::bytes(int field, int at, Bytes v) const {
  if (!wants(field)) return nullptr;
  if (v.empty())
    return proto_tree_add_bytes_format_value(tree, field, tvb, at, 0, nullptr, "%s", v.data() ? "(empty)" : "null");
  const int size = static_cast<int>(v.size());
  return proto_tree_add_bytes_with_length(tree, field, tvb, at, size, v.data(), size);
}

proto_item* ItemWriter::text(int field, int at, int length, std::string_view v) const {
  return wants(field) ? proto_tree_add_string(tree, field, tvb, at, length, text_to_copy(v, pinfo)) : nullptr;
}

proto_item* ItemWriter::redacted(int field, int at) const {
  return wants(field) ? proto_tree_add_bytes_format_value(tree, field, tvb, at, 0, nullptr, "(redacted)") : nullptr;
}

}  // namespace kparse::dissector
