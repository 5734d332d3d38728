// SPDX-License-Identifier: GPL-2.0-or-later
// Which items are worth making, and how many. Wireshark asks for one tree for each packet: a visible one shows all,
// others are there for the fields that a filter, a column or `-e` names.
#pragma once

#include <cstdint>
#include <string_view>

#include "compat.h"
#include "kparse/bytes.h"
#include "named_fields.h"

namespace kparse::dissector {

/// The tree is to be seen, all of it.
[[nodiscard]] inline bool visible(const proto_tree* tree) {
  return tree && PTREE_DATA(tree)->visible && !prints_named_fields_only();
}

/// Somebody named this field.
[[nodiscard]] inline bool asked_for(int field) {
  if (field < 0) return false;
  return proto_registrar_get_nth(static_cast<unsigned>(field))->ref_type != HF_REF_TYPE_NONE || is_named(field);
}

/// A filter, a column or a colour rule has a field of ours, an expert item too, or the protocol itself. If none does,
/// what is asked for is the same for all packets.
[[nodiscard]] bool filters_look();
/// Any field of ours.
[[nodiscard]] bool any_asked_for();
/// Any of the names of Wireshark's own Kafka dissector.
[[nodiscard]] bool old_name_asked_for();
/// Somebody wants expert items: a tap, or a filter on them.
[[nodiscard]] bool experts_wanted();

/// No more items may be added: the tree holds a fifth of what Wireshark allows (gui.max_tree_items), three quarters
/// where it isn't visible and so holds only what was asked for. Past Wireshark's own limit it throws.
[[nodiscard]] bool full(const proto_tree*);
/// Hidden twins of items that nobody asked for are worth their room: some outputs print them (PDML), and the user may
/// have hidden items shown.
[[nodiscard]] bool twins_fit(const proto_tree*);

inline proto_item* hidden(proto_item* item) {
  proto_item_set_hidden(item);
  return item;
}
inline proto_item* generated(proto_item* item) {
  proto_item_set_generated(item);
  return item;
}

/// Ends in NUL, packet scope. Not valid UTF-8, or NUL within: as clean_utf8 has it.
[[nodiscard]] const char* text_for_item(std::string_view, packet_info*);
/// The same, but valid only until the next call: for calls that copy it.
[[nodiscard]] const char* text_to_copy(std::string_view, packet_info*);

/// Packet scope.
[[nodiscard]] const char* uuid_for_item(const std::uint8_t* id, packet_info*);

[[nodiscard]] nstime_t time_of_ms(std::int64_t ms) noexcept;
/// kparse.time below `item`, and the time in the item's own text; where the tree isn't visible kparse.time alone, if it
/// is asked for. Nothing for times that mean none (below 0).
void add_time(proto_tree*, proto_item*, tvbuff_t*, int at, int length, std::int64_t ms);

}  // namespace kparse::dissector
