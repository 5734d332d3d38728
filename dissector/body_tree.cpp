// SPDX-License-Identifier: GPL-2.0-or-later
#include "body.h"
#include "body_values.h"
#include "element_label.h"
#include "experts.h"
#include "fields.h"
#include "items.h"
#include "kparse/payload.h"
#include "preferences.h"
#include "schema_fields.h"
#include "wanted.h"

namespace kparse::dissector {
namespace {

using What = TreeNode::What;

proto_tree* below(proto_tree* tree, proto_item* item, int subtree) {
  return visible(tree) ? proto_item_add_subtree(item, subtree) : tree;
}

/// The struct has a field that tells whether its config is sensitive, in this version.
bool expects_sensitive(NodeId n, int version) noexcept {
  for (int i = n + 1; i <= n + field(n).below; i += 1 + field(static_cast<NodeId>(i)).below) {
    const Field& f = field(static_cast<NodeId>(i));
    if (f.mark == Mark::config_sensitive && f.versions.has(version)) return true;
  }
  return false;
}

/// Does this struct say that the config in it is sensitive? One that can't say so any more, because it breaks off, is.
bool says_sensitive(const BodyItems& b, std::uint32_t row) noexcept {
  const TreeNode& t = b.rows[row];
  bool told = false;
  for (std::uint32_t i = row + 1; i < t.end; i = b.rows[i].end) {
    const TreeNode& child = b.rows[i];
    if (!child.leaf() || child.node == no_node) continue;
    const Mark mark = field(child.node).mark;
    if (mark == Mark::config_sensitive && child.what == What::boolean) {
      if (child.integer != 0) return true;
      told = true;
    }
    if (mark == Mark::config_name && child.what == What::string && sensitive_config(text(b.value(child)))) return true;
  }
  return !told && expects_sensitive(t.node, b.body.version);
}

/// Anything that won't be shown, or that can't be told from it.
bool holds_secret(const BodyItems& b) noexcept {
  if (b.body.error) return true;
  for (const TreeNode& t : b.rows) {
    if (!t.leaf() || t.node == no_node) continue;
    const Field& f = field(t.node);
    if (f.secret && t.value_length > 0) return true;
    if (f.mark == Mark::config_sensitive && t.what == What::boolean && t.integer != 0) return true;
    if (f.mark == Mark::config_name && t.what == What::string && sensitive_config(text(b.value(t)))) return true;
  }
  return false;
}

void add_rows(BodyItems& b, std::uint32_t from, std::uint32_t end, proto_tree* tree, bool sensitive);

void add_below(BodyItems& b, std::uint32_t row, proto_tree* tree, bool sensitive) {
  const TreeNode& t = b.rows[row];
  const bool config = b.may_hide && t.what == What::structure && !sensitive && says_sensitive(b, row);
  add_rows(b, row + 1, t.end, tree, sensitive || config);
}

void add_array(BodyItems& b, std::uint32_t row, proto_tree* tree, bool sensitive) {
  const TreeNode& t = b.rows[row];
  const Field& f = field(t.node);
  proto_item* item = nullptr;
  proto_tree* inside = tree;
  const int at = b.at + static_cast<int>(t.offset), length = b.length_of(t);
  if (f.type == Type::structure) {
    if (b.wants(t.node, Want::item)) {
      item = proto_tree_add_int(tree, schema_field(t.node), b.tvb, at, length, static_cast<gint32>(t.integer));
      inside = below(tree, item, subtrees.array);
    }
  } else if (b.all) {
    inside = proto_tree_add_subtree_format(tree, b.tvb, at, length, subtrees.array, nullptr, "%.*s: %d",
                                           static_cast<int>(f.name.size()), f.name.data(), static_cast<int>(t.integer));
  }
  add_below(b, row, inside, sensitive);
}

void add_struct(BodyItems& b, std::uint32_t row, proto_tree* tree, bool sensitive) {
  const TreeNode& t = b.rows[row];
  const int at = b.at + static_cast<int>(t.offset), length = b.length_of(t);
  proto_tree* inside = tree;
  const bool element = t.parent != TreeNode::none && b.rows[t.parent].what == What::array;
  if (!element) {
    if (b.wants(t.node, Want::item))
      inside =
          below(tree, proto_tree_add_item(tree, schema_field(t.node), b.tvb, at, length, ENC_NA), subtrees.structure);
  } else if (b.all) {
    const char* const label = element_label(b.body, row, b.pinfo);
    inside = proto_tree_add_subtree_format(tree, b.tvb, at, length, subtrees.element, nullptr,
                                           label ? "[%u] %s" : "[%u]", t.index, label);
  }
  add_below(b, row, inside, sensitive);
}

void add_row(BodyItems& b, std::uint32_t row, proto_tree* tree, bool sensitive) {
  const TreeNode& t = b.rows[row];
  if (t.leaf()) {
    add_value(b, t, tree, sensitive);
    return;
  }
  if (b.all || b.wants(t.node, Want::item | Want::old_name | Want::below | Want::content | Want::meaning)) {
    if (t.tagged) add_old_tag(b, t, tree);
    if (t.what == What::array)
      add_array(b, row, tree, sensitive);
    else
      add_struct(b, row, tree, sensitive);
  }
}

void add_rows(BodyItems& b, std::uint32_t from, std::uint32_t end, proto_tree* tree, bool sensitive) {
  for (std::uint32_t i = from; i < end; i = b.rows[i].end) {
    if (full(tree)) {
      b.left_out += end - i;
      return;
    }
    add_row(b, i, tree, sensitive);
  }
}

void tell_limits(const BodyItems& b, proto_item* top) {
  if (b.left_out > 0)
    expert_add_info_format(b.pinfo, top, &experts.limit,
                           "%u fields are not shown: the tree is large enough (a fifth of the preference "
                           "gui.max_tree_items)",
                           b.left_out);
  if (const auto more = b.body.tree->left_out(); more > 0)
    expert_add_info_format(b.pinfo, top, &experts.limit, "%" G_GUINT64_FORMAT " fields are not shown: too many",
                           static_cast<guint64>(more));
}

void tell_notes(const BodyItems& b, proto_item* top) {
  for (const Note& n : b.body.tree->notes()) {
    const bool surplus = n.rule == Note::Rule::surplusBytes;
    add_note(n, b.pinfo, surplus && b.rest ? b.rest : top, b.tvb, b.at + static_cast<int>(n.offset));
  }
}

}  // namespace

void add_body(const Body& body, tvbuff_t* tvb, int at, packet_info* pinfo, proto_tree* tree, proto_item* top) {
  if (!body.tree) return;
  if (body.tree->nodes().empty()) {
    if (ends_with_capture(body))
      add_capture_end(body.error, body.pdu->error, pinfo, top, tvb, at);
    else if (body.error)
      add_error(body.error, pinfo, top, tvb, at, static_cast<int>(body.bytes.size()));
    return;
  }
  const TreeNode& root = body.tree->nodes().front();
  const bool all = visible(tree);
  const std::uint8_t* const wanted = wanted_fields(root.node, all);
  if (!all && wanted[root.node] == 0 && !experts_wanted()) return;

  BodyItems b{.body = body,
              .tvb = tvb,
              .at = at,
              .pinfo = pinfo,
              .rows = body.tree->nodes(),
              .all = all,
              .old_names = old_name_asked_for() || twins_fit(tree),
              .wanted = wanted,
              .guide = PayloadGuide(*body.message, body.context),
              .may_hide = may_hold_secrets(root.node) && !preferences.show_secrets,
              .hides = false};
  b.hides = b.may_hide && holds_secret(b);
  if (body.message->kind == Kind::header) {
    add_below(b, 0, tree, false);
  } else {
    add_struct(b, 0, tree, false);
  }
  if (body.error) {
    const auto where =
        static_cast<std::size_t>(body.error.offset < body.bytes.size() ? body.error.offset : body.bytes.size());
    proto_item* const item = b.rest ? b.rest : top;
    if (ends_with_capture(body))
      add_capture_end(body.error, body.pdu->error, pinfo, item, tvb, at + static_cast<int>(where));
    else
      add_error(body.error, pinfo, item, tvb, at + static_cast<int>(where), 0);
  }
  tell_notes(b, top);
  tell_limits(b, top);
}

}  // namespace kparse::dissector
