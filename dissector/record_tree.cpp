// SPDX-License-Identifier: GPL-2.0-or-later
#include "record_tree.h"

#include "batch_items.h"
#include "draft_items.h"
#include "experts.h"
#include "fields.h"
#include "item_writer.h"
#include "kparse/payload.h"
#include "kparse/record_walk.h"
#include "preferences.h"
#include "protocol.h"
#include "record_items.h"
#include "record_names.h"
#include "record_set.h"

namespace kparse::dissector {
namespace {

constexpr guint32 opened_key = 0x6f70656e;  // of proto data, beside those of frames

struct Counter : RecordSink {
  std::int64_t records = 0;
  bool begin_batch(const Batch& b) noexcept {
    if (b.readable) records += b.magic < 2 ? 1 : b.count > 0 ? b.count : 0;
    return false;
  }
};

/// Bytes that may still be kept opened for this packet: as many as one batch may have.
guint64& room_for_opened(packet_info* pinfo) {
  auto* left = static_cast<guint64*>(p_get_proto_data(pinfo->pool, pinfo, proto_kparse, opened_key));
  if (!left) {
    left = wmem_new(pinfo->pool, guint64);
    *left = guint64{preferences.max_uncompressed} << 20;
    p_add_proto_data(pinfo->pool, pinfo, proto_kparse, opened_key, left);
  }
  return *left;
}

struct SetItems {
  tvbuff_t* tvb;
  int at;
  Bytes set;
  std::string_view topic;
  packet_info* pinfo;
  proto_tree* tree;
  RecordWants wants;
};

/// The opened records as bytes that outlive the next batch; a data tab shows them. False: too many for one packet.
bool keep_opened(const SetItems& s, Batch& b, RecordPlace& place) {
  const std::size_t size = b.opened.size();
  guint64& left = room_for_opened(s.pinfo);
  if (size > left) return false;
  left -= size;
  const auto* const copy = static_cast<const guint8*>(wmem_memdup(s.pinfo->pool, b.opened.data(), size));
  place.tvb = tvb_new_child_real_data(s.tvb, copy, static_cast<guint>(size), static_cast<gint>(size));
  place.at = 0;
  if (s.wants.all) {
    const std::string_view codec = name_of(b.codec);
    add_new_data_source(s.pinfo, place.tvb,
                        wmem_strdup_printf(s.pinfo->pool, "Decompressed %.*s, %u bytes", static_cast<int>(codec.size()),
                                           codec.data(), static_cast<unsigned>(size)));
  }
  return true;
}

/// Returns how many records found no place in the tree.
std::uint64_t add_rows(const SetItems& s, const OpenedBatch& o, const RecordPlace& place, proto_tree* tree) {
  for (std::size_t i = 0; i < o.records.size(); ++i) {
    if (full(tree)) return o.records.size() - i;
    if (o.batch.magic == 2 && !o.batch.draft)
      add_record(s.wants, o.batch, o.records[i], place, tree);
    else
      add_inner_message(s.wants, o.batch, o.records[i], place, tree);
  }
  return 0;
}

void tell_left_out(const SetItems& s, const OpenedBatch& o, std::uint64_t no_room, proto_item* item) {
  if (no_room > 0)
    expert_add_info_format(s.pinfo, item, &experts.limit,
                           "%" G_GUINT64_FORMAT
                           " records are not shown: the tree is large enough (a fifth of the "
                           "preference gui.max_tree_items)",
                           static_cast<guint64>(no_room));
  else if (o.left_out > 0)
    expert_add_info_format(s.pinfo, item, &experts.limit,
                           "%" G_GUINT64_FORMAT " records are not shown (see the preference kparse.max_records)",
                           static_cast<guint64>(o.left_out));
}

void add_opened(const SetItems& s, OpenedBatch o, int at, proto_tree* tree, proto_item* item, unsigned most_rows) {
  const Batch& b = o.batch;
  const RecordPlace here{s.tvb, at, s.pinfo, is_internal_topic(s.topic) ? s.topic : std::string_view{}};
  if ((b.magic < 2 || b.draft) && b.codec == Codec::none) {
    // The message is the record.
    if (o.records.empty()) return;
    add_outer_record(s.wants, b, o.records.front().record, here, s.set, s.at, tree);
    const auto begin = static_cast<std::size_t>(at - s.at), size = static_cast<std::size_t>(b.batch_length) + 12;
    if (b.draft && s.wants.headers)
      add_draft_headers({tree, s.tvb, s.pinfo, s.wants.all}, s.set.subspan(begin, size), at);
    return;
  }
  RecordPlace place = here;
  if (o.records.empty()) return;
  if (b.codec == Codec::none) {
    place.at = s.at + static_cast<int>(b.opened.data() - s.set.data());
  } else if (!keep_opened(s, o.batch, place)) {
    expert_add_info_format(
        s.pinfo, item, &experts.limit,
        "The records are not shown: this packet's batches are larger, uncompressed, than the preference "
        "kparse.max_uncompressed allows for one");
    return;
  }
  const bool by_preference = preferences.max_records > 0 && preferences.max_records <= most_rows;
  const std::uint64_t unplaced = add_rows(s, o, place, tree);
  tell_left_out(s, o, unplaced + (by_preference ? 0 : o.left_out), item);
}

unsigned room(const proto_tree* tree) noexcept {
  const unsigned most = prefs.gui_max_tree_items, used = tree ? PTREE_DATA(tree)->count : 0;
  return used < most ? most - used : 1;
}

void add_batch(const SetItems& s, const BatchPlace& where, unsigned index) {
  RecordOptions options;
  options.verify_crc = preferences.verify_crc != 0;
  options.max_batch = std::uint64_t{preferences.max_uncompressed} << 20;
  options.open = s.wants.records || s.wants.sizes;
  options.draft = draft_reader();
  unsigned most = s.wants.records ? room(s.tree) : 1;
  const unsigned rows = preferences.max_records > 0 && preferences.max_records < most ? preferences.max_records : most;
  const Bytes entry = s.set.subspan(where.at, where.size);
  const OpenedBatch o = read_batch(entry, options, rows);
  const int at = s.at + static_cast<int>(where.at);

  proto_item* item = nullptr;
  proto_tree* tree = s.tree;
  if (s.wants.all)
    tree = proto_tree_add_subtree(s.tree, s.tvb, at, static_cast<int>(where.size), subtrees.batch, &item,
                                  batch_label(o.batch, index, s.pinfo));
  const ItemWriter out{tree, s.tvb, s.pinfo, s.wants.all};
  add_batch_header(out, o.batch, entry, at);
  if (options.open && !o.error) add_sizes(out, o.batch, at);
  if (o.error) {
    Error error = o.error;
    const bool here = error.offset < where.size;
    add_error(error, s.pinfo, item ? item : tree, s.tvb, here ? at + static_cast<int>(error.offset) : at, 0);
  }
  if (s.wants.records) add_opened(s, o, at, tree, item ? item : tree, most);
}

void add_partial(const SetItems& s, const BatchPlaces& p) {
  if (p.partial == 0) return;
  const ItemWriter out{s.tree, s.tvb, s.pinfo, s.wants.all};
  const int at = s.at + static_cast<int>(p.partial_at), size = static_cast<int>(p.partial);
  proto_item* const item = out.number(fields.batch.partial, at, size, size);
  if (item && p.need > 0) proto_item_append_text(item, " of %" G_GUINT64_FORMAT " bytes", static_cast<guint64>(p.need));
  ItemWriter inside = out;
  if (item && out.all) inside.tree = proto_item_add_subtree(item, subtrees.batch);
  if (p.need > 0) (void)inside.made_up(fields.batch.partial_need, at, 0, static_cast<std::int64_t>(p.need));
  out.twin_bytes(old_record_names().truncated_content, at, size, s.set.subspan(p.partial_at));
  expert_add_info(s.pinfo, item ? item : s.tree, &experts.partial_batch);
}

}  // namespace

std::int64_t count_records(Bytes set) noexcept {
  static Scratch& unused = *new Scratch;
  RecordOptions options;
  options.open = options.verify_crc = false;
  Counter counter;
  read_records(set, options, unused, counter);
  return counter.records;
}

void add_records(tvbuff_t* tvb, int at, Bytes set, std::string_view topic, packet_info* pinfo, proto_tree* tree) {
  const SetItems s{tvb, at, set, topic, pinfo, tree, RecordWants::of(tree)};
  const BatchPlaces places = find_batches(set);
  unsigned index = 0;
  for (const BatchPlace& where : places.batches) {
    if (full(tree) || index == 0xffff'ffff) break;
    add_batch(s, where, index++);
  }
  if (index < places.batches.size() || !places.complete)
    expert_add_info_format(pinfo, tree, &experts.limit, "%u batches are not shown: the tree is large enough",
                           static_cast<unsigned>(places.batches.size() - index));
  add_partial(s, places);
}

}  // namespace kparse::dissector
