// SPDX-License-Identifier: GPL-2.0-or-later
#include "body_values.h"

#include <cstring>

#include "experts.h"
#include "fields.h"
#include "items.h"
#include "kparse/text.h"
#include "kparse/varint.h"
#include "legacy.h"
#include "payload_tree.h"
#include "preferences.h"
#include "record_tree.h"
#include "schema_fields.h"
#include "topics.h"

namespace kparse::dissector {
namespace {

using What = TreeNode::What;

constexpr char redacted[] = "(redacted)";

struct Place {
  int at, length;
};
Place place_of(const BodyItems& b, const TreeNode& t) noexcept {
  return {b.at + static_cast<int>(t.offset), static_cast<int>(t.length)};
}

bool wants_old(const BodyItems& b, NodeId n) noexcept { return b.old_names && b.wants(n, Want::old_name); }

/// A general item beside a field: worth it?
bool wants_twin(int field, const proto_tree* tree) { return asked_for(field) || twins_fit(tree); }

proto_item* add_number(const BodyItems& b, const TreeNode& t, proto_tree* tree) {
  const Place p = place_of(b, t);
  const int hf = schema_field(t.node);
  switch (field(t.node).type) {
    case Type::int64:
      return proto_tree_add_int64(tree, hf, b.tvb, p.at, p.length, t.integer);
    case Type::uint16:
    case Type::uint32:
      return proto_tree_add_uint(tree, hf, b.tvb, p.at, p.length, static_cast<guint32>(t.integer));
    default:
      return proto_tree_add_int(tree, hf, b.tvb, p.at, p.length, static_cast<gint32>(t.integer));
  }
}

void add_error_code(const BodyItems& b, const TreeNode& t, proto_tree* tree, proto_item* item) {
  if (t.integer == 0 || b.body.message->kind != Kind::response) return;
  const Place p = place_of(b, t);
  const std::string_view name = error_name(static_cast<int>(t.integer));
  if (wants_twin(fields.error_code, tree))
    hidden(proto_tree_add_int(tree, fields.error_code, b.tvb, p.at, p.length, static_cast<gint32>(t.integer)));
  if (!name.empty() && wants_twin(fields.error_name, tree))
    hidden(proto_tree_add_string(tree, fields.error_name, b.tvb, p.at, p.length, text_for_item(name, b.pinfo)));
  if (name.empty())
    expert_add_info_format(b.pinfo, item, &experts.error_code, "Error code %d", static_cast<int>(t.integer));
  else
    expert_add_info_format(b.pinfo, item, &experts.error_code, "%.*s", static_cast<int>(name.size()), name.data());
}

void add_integer(BodyItems& b, const TreeNode& t, proto_tree* tree) {
  const Field& f = field(t.node);
  const Place p = place_of(b, t);
  b.guide.integer(f, t.integer);
  proto_item* item = nullptr;
  if (b.wants(t.node, Want::item)) {
    item = t.what == What::boolean
               ? proto_tree_add_boolean(tree, schema_field(t.node), b.tvb, p.at, p.length, t.integer != 0)
               : add_number(b, t, tree);
  }
  if (wants_old(b, t.node)) add_legacy_integer(tree, t.node, b.tvb, p.at, p.length, t.integer, b.body.version);
  if (!b.wants(t.node, Want::meaning)) return;
  // Where nobody asked for the field itself, the expert item still needs a place in the tree.
  if (f.mark == Mark::error) add_error_code(b, t, tree, item ? item : tree);
  if (f.mark == Mark::partition && wants_twin(fields.partition, tree))
    hidden(proto_tree_add_int(tree, fields.partition, b.tvb, p.at, p.length, static_cast<gint32>(t.integer)));
  if (is_time(f)) add_time(tree, item, b.tvb, p.at, p.length, t.integer);
}

void add_uuid(BodyItems& b, const TreeNode& t, proto_tree* tree) {
  const Field& f = field(t.node);
  const Place p = place_of(b, t);
  const std::uint8_t* const id = b.body.bytes.data() + t.offset;
  b.guide.uuid(f, id);
  proto_item* item = nullptr;
  if (b.wants(t.node, Want::item))
    item = proto_tree_add_string(tree, schema_field(t.node), b.tvb, p.at, p.length, uuid_for_item(id, b.pinfo));
  if (wants_old(b, t.node)) add_legacy_uuid(tree, t.node, b.tvb, p.at, id, b.body.version);
  if (f.mark != Mark::topic_id || !b.wants(t.node, Want::meaning)) return;
  const std::string_view name = cluster().topic_name(id);
  if (name.empty() || !(b.all || asked_for(fields.topic))) return;
  if (item && b.all) proto_item_append_text(item, " (%s)", text_for_item(name, b.pinfo));
  generated(proto_tree_add_string(tree, fields.topic, b.tvb, p.at, p.length, text_for_item(name, b.pinfo)));
}

void add_redacted(const BodyItems& b, const TreeNode& t, proto_tree* tree) {
  if (!b.wants(t.node, Want::item)) return;
  const int hf = schema_field(t.node), at = place_of(b, t).at;
  if (t.what == What::string)
    proto_tree_add_string(tree, hf, b.tvb, at, 0, redacted);
  else
    proto_tree_add_bytes_format_value(tree, hf, b.tvb, at, 0, nullptr, redacted);
}

void add_text(BodyItems& b, const TreeNode& t, proto_tree* tree, bool sensitive) {
  const Field& f = field(t.node);
  const Place p = place_of(b, t);
  const std::string_view value = text(b.value(t));
  b.guide.string(f, value);
  if ((f.secret || (f.mark == Mark::config_value && sensitive)) && !preferences.show_secrets && !value.empty()) {
    add_redacted(b, t, tree);
    return;
  }
  const bool twin = f.mark == Mark::topic && wants_twin(fields.topic, tree);
  const bool old = has_legacy(t.node) && wants_old(b, t.node);
  if (!b.wants(t.node, Want::item) && !twin && !old) return;
  const char* const shown = text_to_copy(value, b.pinfo);
  proto_item* item = nullptr;
  if (b.wants(t.node, Want::item)) {
    item = proto_tree_add_string(tree, schema_field(t.node), b.tvb, p.at, p.length, shown);
    if (!plain_utf8(value) && value.find('\0') == value.npos)
      add_note({.rule = Note::Rule::badUtf8, .node = t.node, .offset = t.offset}, b.pinfo, item, b.tvb, p.at);
  }
  if (old) add_legacy_text(tree, t.node, b.tvb, p.at, p.length, b.pinfo, shown, b.body.version);
  if (twin) hidden(proto_tree_add_string(tree, fields.topic, b.tvb, p.at, p.length, shown));
}

proto_item* add_plain_bytes(const BodyItems& b, const TreeNode& t, proto_tree* tree) {
  const Place p = place_of(b, t);
  const Bytes value = b.value(t);
  proto_item* item = nullptr;
  if (b.wants(t.node, Want::item) && value.empty())
    item = proto_tree_add_bytes_format_value(tree, schema_field(t.node), b.tvb, p.at, 0, nullptr, "(empty)");
  else if (b.wants(t.node, Want::item))
    item = proto_tree_add_bytes_with_length(tree, schema_field(t.node), b.tvb, p.at, p.length, value.data(),
                                            static_cast<int>(value.size()));
  if (wants_old(b, t.node)) add_legacy_bytes(tree, t.node, b.tvb, p.at, p.length, value, b.body.version);
  return item;
}

void add_bytes(BodyItems& b, const TreeNode& t, proto_tree* tree) {
  const Field& f = field(t.node);
  const Bytes value = b.value(t);
  const int value_at = b.at + static_cast<int>(t.value_offset);
  const auto inside = [&](proto_item* item) {
    return b.all && item ? proto_item_add_subtree(item, subtrees.payload) : tree;
  };
  if (f.secret && !value.empty()) {
    proto_item* item = nullptr;
    if (preferences.show_secrets) {
      item = add_plain_bytes(b, t, tree);
    } else if (b.wants(t.node, Want::item)) {
      item = proto_tree_add_bytes_format_value(tree, schema_field(t.node), b.tvb, value_at, 0, nullptr, redacted);
    }
    if (f.mark == Mark::auth_bytes && !b.guide.mechanism().empty() && (b.all || asked_for(fields.payload_value)))
      add_token_parts(b.guide.mechanism(), value, b.body.message->kind == Kind::request, b.tvb, value_at, b.pinfo,
                      inside(item));
    return;
  }
  if (value.empty() || b.guide.kind_of(f) == PayloadKind::none) {
    (void)add_plain_bytes(b, t, tree);
    return;
  }
  const Payload payload = look(b.guide, f, value);
  proto_item* item = nullptr;
  if (payload.decoded.secret && !preferences.show_secrets) {
    if (b.wants(t.node, Want::item))
      item = proto_tree_add_bytes_format_value(tree, schema_field(t.node), b.tvb, value_at, 0, nullptr, redacted);
  } else {
    item = add_plain_bytes(b, t, tree);
  }
  if (payload.decoded.done && b.wants(t.node, Want::content))
    add_payload(b.body, payload, b.guide, value, b.tvb, value_at, b.pinfo, inside(item));
}

void add_null(const BodyItems& b, const TreeNode& t, proto_tree* tree) {
  const Field& f = field(t.node);
  const Place p = place_of(b, t);
  const int hf = schema_field(t.node);
  if (wants_old(b, t.node)) {
    if (f.type == Type::string) add_legacy_text(tree, t.node, b.tvb, p.at, p.length, b.pinfo, nullptr, b.body.version);
    if (f.type == Type::bytes) add_legacy_bytes(tree, t.node, b.tvb, p.at, p.length, {}, b.body.version);
  }
  if (!b.wants(t.node, Want::item)) return;
  if (f.array && f.type != Type::structure) {
    // An item of the elements' field would be an element.
    if (b.all)
      proto_tree_add_subtree_format(tree, b.tvb, p.at, p.length, subtrees.array, nullptr, "%.*s: null",
                                    static_cast<int>(f.name.size()), f.name.data());
    return;
  }
  if (f.array) {
    proto_tree_add_int_format_value(tree, hf, b.tvb, p.at, p.length, -1, "null");
    return;
  }
  switch (f.type) {
    case Type::string:
      proto_tree_add_string_format_value(tree, hf, b.tvb, p.at, p.length, "", "null");
      break;
    case Type::bytes:
      proto_tree_add_bytes_format_value(tree, hf, b.tvb, p.at, 0, nullptr, "null");
      break;
    case Type::records:
      proto_tree_add_uint_format_value(tree, hf, b.tvb, p.at, p.length, 0, "null");
      break;
    default:
      proto_tree_add_none_format(tree, hf, b.tvb, p.at, p.length, "%.*s: null", static_cast<int>(f.name.size()),
                                 f.name.data());
      break;
  }
}

void add_record_set(const BodyItems& b, const TreeNode& t, proto_tree* tree) {
  const Place p = place_of(b, t);
  proto_item* item = nullptr;
  if (b.wants(t.node, Want::item))
    item = proto_tree_add_uint(tree, schema_field(t.node), b.tvb, p.at, p.length, t.value_length);
  if (item && b.all) proto_item_append_text(item, " byte%s", t.value_length == 1 ? "" : "s");
  if (!b.wants(t.node, Want::content) || t.value_length == 0 || !b.guide.whole_records()) return;
  proto_tree* const inside = b.all ? proto_item_add_subtree(item, subtrees.array) : tree;
  add_records(b.tvb, b.at + static_cast<int>(t.value_offset), b.value(t), b.guide.topic(), b.pinfo, inside);
}

void add_unknown_tag(const BodyItems& b, const TreeNode& t, proto_tree* tree) {
  const Place p = place_of(b, t);
  const auto number = static_cast<guint32>(t.integer);
  proto_tree* inside = tree;
  if (b.all || asked_for(fields.tag)) {
    proto_item* const item = proto_tree_add_uint(tree, fields.tag, b.tvb, p.at, p.length, number);
    if (b.all) inside = proto_item_add_subtree(item, subtrees.tag);
  }
  if (b.all || asked_for(fields.tag_data)) proto_tree_add_item(inside, fields.tag_data, b.tvb, p.at, p.length, ENC_NA);
}

/// Where decoding stopped because the capture stops there: the batches of a record set of which that is the beginning.
void add_cut_records(const BodyItems& b, const TreeNode& rest, proto_tree* tree) {
  const NodeId n = b.body.error.node;
  if (!ends_with_capture(b.body) || n == no_node || field(n).type != Type::records || !b.wants(n, Want::content)) return;
  const Bytes bytes = b.body.bytes.subspan(rest.offset);
  const std::uint8_t* at = bytes.data();
  const std::uint8_t* const end = at + bytes.size();
  std::uint32_t size = 0;
  if (!b.body.message->flexible.has(b.body.version))
    at = end - at < 4 ? nullptr : at + 4;
  else
    at = read_uvarint(at, end, size);
  if (!at || at == end) return;
  const auto before = static_cast<std::size_t>(at - bytes.data());
  proto_tree* const inside = b.all && b.rest ? proto_item_add_subtree(b.rest, subtrees.array) : tree;
  add_records(b.tvb, b.at + static_cast<int>(rest.offset + before), bytes.subspan(before), b.guide.topic(), b.pinfo,
              inside);
}

}  // namespace

bool ends_with_capture(const Body& body) noexcept {
  const Code code = body.error.code;
  return body.pdu && body.depth == 0 && !body.pdu->whole() && (code == Code::truncated || code == Code::badCount);
}

void add_old_tag(BodyItems& b, const TreeNode& t, proto_tree* tree) {
  static const int number = legacy_field("kafka.tagged_field_tag"), data = legacy_field("kafka.tagged_field_data");
  const bool unknown = t.what == What::unknown_tag;
  if (!unknown && field(t.node).secret && b.hides) return;
  const Place p = place_of(b, t);
  const auto tag = static_cast<guint64>(unknown ? t.integer : field(t.node).tag);
  if (wants_twin(number, tree)) hidden(proto_tree_add_uint64(tree, number, b.tvb, p.at, p.length, tag));
  if (wants_twin(data, tree)) hidden(proto_tree_add_item(tree, data, b.tvb, p.at, p.length, ENC_NA));
}

void add_value(BodyItems& b, const TreeNode& t, proto_tree* tree, bool sensitive) {
  if (t.tagged || t.what == What::unknown_tag) add_old_tag(b, t, tree);
  switch (t.what) {
    case What::null:
      add_null(b, t, tree);
      break;
    case What::boolean:
    case What::integer:
      add_integer(b, t, tree);
      break;
    case What::float64:
      if (b.wants(t.node, Want::item))
        proto_tree_add_double(tree, schema_field(t.node), b.tvb, place_of(b, t).at, place_of(b, t).length, t.real);
      break;
    case What::uuid:
      add_uuid(b, t, tree);
      break;
    case What::string:
      add_text(b, t, tree, sensitive);
      break;
    case What::bytes:
      add_bytes(b, t, tree);
      break;
    case What::records:
      add_record_set(b, t, tree);
      break;
    case What::unknown_tag:
      add_unknown_tag(b, t, tree);
      break;
    case What::rest:
      if (b.all || asked_for(fields.undecoded))
        b.rest = proto_tree_add_item(tree, fields.undecoded, b.tvb, place_of(b, t).at,
                                     b.hides ? 0 : place_of(b, t).length, ENC_NA);
      add_cut_records(b, t, tree);
      break;
    case What::framing:
    case What::structure:
    case What::array:
      break;
  }
}

}  // namespace kparse::dissector
