// SPDX-License-Identifier: GPL-2.0-or-later
// The values of a body as items.
#pragma once

#include <cstdint>
#include <span>

#include "body.h"
#include "kparse/payload.h"
#include "wanted.h"

namespace kparse::dissector {

/// What adding a body's items has to know. Trivially destructible: Wireshark may jump out at any time.
struct BodyItems {
  const Body& body;
  tvbuff_t* tvb;
  int at;
  packet_info* pinfo;
  std::span<const TreeNode> rows;
  bool all;        ///< the tree is visible
  bool old_names;  ///< any of them is asked for, or hidden items are shown
  const std::uint8_t* wanted;
  PayloadGuide guide;
  bool may_hide;  ///< there may be secrets, and they aren't to be shown
  bool hides;     ///< there are
  proto_item* rest = nullptr;
  std::uint32_t left_out = 0;

  [[nodiscard]] bool wants(NodeId n, std::uint8_t what) const noexcept { return (wanted[n] & what) != 0; }
  [[nodiscard]] Bytes value(const TreeNode& t) const noexcept {
    return body.bytes.subspan(t.value_offset, t.value_length);
  }
  /// Items around secrets have no bytes of their own, which some outputs would print.
  [[nodiscard]] int length_of(const TreeNode& t) const noexcept { return hides ? 0 : static_cast<int>(t.length); }
};

/// Its frame isn't whole, and decoding stopped where the bytes end: nothing is wrong with it.
[[nodiscard]] bool ends_with_capture(const Body&) noexcept;

/// A leaf, with what belongs to it. `sensitive`: it is inside a config that is.
void add_value(BodyItems&, const TreeNode&, proto_tree*, bool sensitive);

/// A tagged field as Wireshark's own dissector shows it.
void add_old_tag(BodyItems&, const TreeNode&, proto_tree*);

}  // namespace kparse::dissector
