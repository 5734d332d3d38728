// SPDX-License-Identifier: GPL-2.0-or-later
// Items that are made if the tree is visible or somebody asked for their field.
#pragma once

#include "items.h"

namespace kparse::dissector {

struct ItemWriter {
  proto_tree* tree;
  tvbuff_t* tvb;
  packet_info* pinfo;
  bool all;  ///< the tree is visible

  [[nodiscard]] bool wants(int field) const { return all || asked_for(field); }
  [[nodiscard]] bool wants_twin(int field) const { return asked_for(field) || twins_fit(tree); }

  /// Integers and booleans of any size; nullptr: not wanted.
  proto_item* number(int field, int at, int length, std::int64_t v) const {
    return wants(field) ? make(field, at, length, v) : nullptr;
  }
  proto_item* made_up(int field, int at, int length, std::int64_t v) const {
    proto_item* const item = number(field, at, length, v);
    return item ? generated(item) : nullptr;
  }
  void twin(int field, int at, int length, std::int64_t v) const {
    if (wants_twin(field)) hidden(make(field, at, length, v));
  }
  void twin_time(int field, int at, int length, std::int64_t ms) const;
  void twin_bytes(int field, int at, int length, Bytes) const;
  void twin_text(int field, int at, int length, std::string_view) const;
  /// Shown as "null" and "(empty)" where it is.
  proto_item* bytes(int field, int at, Bytes) const;
  proto_item* text(int field, int at, int length, std::string_view) const;
  /// Bytes that aren't to be shown.
  proto_item* redacted(int field, int at) const;
  /// An integer that means a time.
  void time(int field, int at, int length, std::int64_t ms) const {
    add_time(tree, number(field, at, length, ms), tvb, at, length, ms);
  }

 private:
  proto_item* make(int field, int at, int length, std::int64_t v) const;
};

}  // namespace kparse::dissector
