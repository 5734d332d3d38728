// SPDX-License-Identifier: GPL-2.0-or-later
// Records and their headers as items.
#pragma once

#include <string_view>

#include "compat.h"
#include "record_set.h"

namespace kparse::dissector {

/// What of records is to be made. Found once for a record set.
struct RecordWants {
  bool all = false;      ///< the tree is visible
  bool records = false;  ///< anything of records
  bool content = false;  ///< keys and values, or what is in them
  bool headers = false;  ///< of records
  bool sizes = false;    ///< what only an opened batch tells of itself, or expert items

  [[nodiscard]] static RecordWants of(proto_tree*);
};

/// `tvb` holds what was opened of the batch, from `at` on.
struct RecordPlace {
  tvbuff_t* tvb;
  int at;
  packet_info* pinfo;
  std::string_view topic;  ///< an internal one, or ""
};
/// "name: value", bytes that are no text in hex. Packet scope.
[[nodiscard]] std::string_view header_pair(const RecordHeader&, packet_info*);
/// A record of magic 2.
void add_record(const RecordWants&, const Batch&, const RecordRow&, const RecordPlace&, proto_tree*);
/// A message inside a compressed one (magic 0, 1).
void add_inner_message(const RecordWants&, const Batch&, const RecordRow&, const RecordPlace&, proto_tree*);
/// Key and value, and what is in them. `place.at` is where `batch.opened` begins.
void add_content(const RecordWants&, const Batch&, const Record&, const RecordPlace&, Bytes opened, proto_tree*);

}  // namespace kparse::dissector
