// SPDX-License-Identifier: GPL-2.0-or-later
#include "batch_items.h"

#include <algorithm>

#include "draft_items.h"
#include "experts.h"
#include "fields.h"
#include "kparse/crc.h"
#include "record_names.h"

namespace kparse::dissector {
namespace {

constexpr int codec_bits = 7;

void add_crc(const ItemWriter& out, const Batch& b, Bytes entry, int at) {
  proto_item* const item = out.number(fields.batch.crc, at, 4, b.crc);
  if (!b.crc_checked) {
    (void)out.made_up(fields.batch.crc_status, at, 4, PROTO_CHECKSUM_E_UNVERIFIED);
    return;
  }
  if (item && out.all) proto_item_append_text(item, b.crc_valid ? " [correct]" : " [wrong]");
  (void)out.made_up(fields.batch.crc_status, at, 4, b.crc_valid ? PROTO_CHECKSUM_E_GOOD : PROTO_CHECKSUM_E_BAD);
  (void)out.made_up(fields.batch.crc_good, at, 4, b.crc_valid);
  if (b.crc_valid) return;
  const std::uint32_t computed = b.magic == 2 && !b.draft ? crc32c(entry.subspan(21)) : crc32(entry.subspan(16));
  expert_add_info_format(out.pinfo, item ? item : out.tree, &experts.bad_crc,
                         "The CRC is 0x%08x, not 0x%08x as it says", computed, b.crc);
}

/// Codec and timestamp type, which all formats have.
void add_common_attributes(const ItemWriter& out, const Batch& b, int at, int length) {
  const int codec = b.attributes & codec_bits;
  (void)out.number(fields.batch.codec, at, length, codec);
  const int type =
      b.timestamp_type == TimestampType::NoTimestampType ? -1 : b.timestamp_type == TimestampType::LogAppendTime;
  (void)out.number(fields.batch.timestamp_type, at, length, type);
}

ItemWriter attributes(const ItemWriter& out, const Batch& b, int at, int length) {
  proto_item* const item = out.number(fields.batch.attributes, at, length, static_cast<std::uint16_t>(b.attributes));
  ItemWriter inside = out;
  if (item && out.all) inside.tree = proto_item_add_subtree(item, subtrees.attributes);
  return inside;
}

void add_attributes(const ItemWriter& out, const Batch& b, int at) {
  const Fields::Batch& f = fields.batch;
  const OldRecordNames& old = old_record_names();
  const ItemWriter inside = attributes(out, b, at, 2);
  add_common_attributes(inside, b, at, 2);
  (void)inside.number(f.transactional, at, 2, b.transactional);
  (void)inside.number(f.control, at, 2, b.control);
  (void)inside.number(f.has_delete_horizon, at, 2, b.has_delete_horizon);
  const int raw = static_cast<std::uint16_t>(b.attributes);
  for (const int name : {old.batch_codec, old.batch_timestamp_type, old.batch_transactional, old.batch_control_batch})
    inside.twin(name, at, 2, raw);
}

/// Magic 2, after the magic.
void add_batch_fields(const ItemWriter& out, const Batch& b, Bytes entry, int at) {
  const Fields::Batch& f = fields.batch;
  const OldRecordNames& old = old_record_names();
  add_crc(out, b, entry, at + 17);
  out.twin(old.batch_crc, at + 17, 4, b.crc);
  add_attributes(out, b, at + 21);
  (void)out.number(f.last_offset_delta, at + 23, 4, b.last_offset_delta);
  out.twin(old.batch_last_offset_delta, at + 23, 4, b.last_offset_delta);
  out.time(f.base_timestamp, at + 27, 8, b.base_timestamp);
  out.twin_time(old.batch_first_timestamp, at + 27, 8, b.base_timestamp);
  if (b.has_delete_horizon) (void)out.made_up(f.delete_horizon, at + 27, 8, b.base_timestamp);
  out.time(f.max_timestamp, at + 35, 8, b.max_timestamp);
  out.twin_time(old.batch_last_timestamp, at + 35, 8, b.max_timestamp);
  (void)out.number(f.producer_id, at + 43, 8, b.producer_id);
  out.twin(old.producer_id, at + 43, 8, b.producer_id);
  (void)out.number(f.producer_epoch, at + 51, 2, b.producer_epoch);
  out.twin(old.producer_epoch, at + 51, 2, b.producer_epoch);
  (void)out.number(f.base_sequence, at + 53, 4, b.base_sequence);
  out.twin(old.batch_base_sequence, at + 53, 4, b.base_sequence);
  (void)out.number(f.count, at + 57, 4, b.count);
  out.twin(old.batch_size, at + 57, 4, b.count);
}

/// Of a compressed message: of others it is a record's. Its content are the messages inside.
void add_outer_key(const ItemWriter& out, Bytes entry, std::size_t key_at, int at) {
  if (entry.size() < key_at + 4) return;
  const auto size = load_be<std::int32_t>(entry.data() + key_at);
  const Bytes rest = entry.subspan(key_at + 4);
  const Bytes key = size < 0 ? Bytes{} : rest.first(std::min(rest.size(), static_cast<std::size_t>(size)));
  out.twin_bytes(old_record_names().message_key, at + static_cast<int>(key_at), 4 + static_cast<int>(key.size()), key);
}

/// Magic 0 and 1, and drafts: what is before the value.
void add_message_fields(const ItemWriter& out, const Batch& b, Bytes entry, int at) {
  const OldRecordNames& old = old_record_names();
  const int attribute_byte = b.attributes & 0xff;
  const ItemWriter inside = attributes(out, b, at + 17, 1);
  add_common_attributes(inside, b, at + 17, 1);
  inside.twin(old.message_codec, at + 17, 1, attribute_byte);
  inside.twin(old.message_timestamp_type, at + 17, 1, attribute_byte);
  if (b.codec != Codec::none && !b.draft) add_outer_key(out, entry, b.magic == 0 ? 18 : 26, at);
  if (b.magic == 0) return;
  if (b.codec != Codec::none) out.time(fields.batch.base_timestamp, at + 18, 8, b.base_timestamp);
  out.twin_time(old.message_timestamp, at + 18, 8, b.base_timestamp);
}

}  // namespace

const char* batch_label(const Batch& b, unsigned index, packet_info* pinfo) {
  const auto first = static_cast<gint64>(b.base_offset);
  if (!b.readable)
    return wmem_strdup_printf(pinfo->pool, "[%u] offset %" G_GINT64_FORMAT ": not readable", index, first);
  const std::string_view codec = name_of(b.codec);
  wmem_strbuf_t* const text = wmem_strbuf_new(pinfo->pool, "");
  if (b.magic == 2 && !b.draft && b.count != 1)
    wmem_strbuf_append_printf(text, "[%u] offsets %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT ": %d records", index, first,
                              static_cast<gint64>(static_cast<std::uint64_t>(b.base_offset) +
                                                  static_cast<std::uint64_t>(std::int64_t{b.last_offset_delta})),
                              b.count);
  else
    wmem_strbuf_append_printf(text, "[%u] offset %" G_GINT64_FORMAT ": %s", index, first,
                              b.magic == 2 && !b.draft ? "1 record"
                              : b.codec == Codec::none ? "message"
                                                       : "compressed message");
  if (b.codec != Codec::none) wmem_strbuf_append_printf(text, ", %.*s", static_cast<int>(codec.size()), codec.data());
  if (b.draft) wmem_strbuf_append(text, ", KIP-82 draft");
  if (b.transactional) wmem_strbuf_append(text, ", transactional");
  if (b.control) wmem_strbuf_append(text, ", control");
  if (b.crc_checked && !b.crc_valid) wmem_strbuf_append(text, ", CRC wrong");
  return wmem_strbuf_get_str(text);
}

void add_batch_header(const ItemWriter& out, const Batch& b, Bytes entry, int at) {
  const Fields::Batch& f = fields.batch;
  const OldRecordNames& old = old_record_names();
  const bool old_format = b.magic < 2 || b.draft;
  (void)out.number(f.base_offset, at, 8, b.base_offset);
  out.twin(old.offset, at, 8, b.base_offset);
  (void)out.number(f.batch_length, at + 8, 4, b.batch_length);
  out.twin(old.message_size, at + 8, 4, b.batch_length);
  if (entry.size() < 17) return;
  if (!old_format && b.readable) {
    (void)out.number(f.partition_leader_epoch, at + 12, 4, b.partition_leader_epoch);
    out.twin(old.leader_epoch, at + 12, 4, b.partition_leader_epoch);
  }
  if (old_format && b.readable) {
    add_crc(out, b, entry, at + 12);
    out.twin(old.message_crc, at + 12, 4, b.crc);
  }
  (void)out.number(f.magic, at + 16, 1, b.magic);
  out.twin(old.message_magic, at + 16, 1, b.magic);
  if (!b.readable) return;
  if (const DraftReader* const reader = b.draft ? draft_reader() : nullptr) {
    if (out.wants(f.draft)) generated(out.text(f.draft, at + 16, 1, reader->profile_name()));
    if (out.wants(f.draft_integers)) generated(out.text(f.draft_integers, at + 16, 1, name_of(b.draft_form)));
  }
  if (old_format)
    add_message_fields(out, b, entry, at);
  else
    add_batch_fields(out, b, entry, at);
}

void add_sizes(const ItemWriter& out, const Batch& b, int at) {
  if (b.codec == Codec::none || !b.readable) return;
  const int header = b.magic == 2 && !b.draft ? 61 : 12;
  (void)out.made_up(fields.batch.compressed, at + header, 0, static_cast<std::int64_t>(b.payload.size()));
  (void)out.made_up(fields.batch.uncompressed, at + header, 0, static_cast<std::int64_t>(b.uncompressed));
  const int ratio = old_record_names().message_compression_reduction;
  if (b.uncompressed > 0 && out.wants_twin(ratio))
    hidden(generated(proto_tree_add_float(out.tree, ratio, out.tvb, at + header, 0,
                                          static_cast<float>(b.payload.size()) / static_cast<float>(b.uncompressed))));
}

void add_outer_record(const RecordWants& w, const Batch& b, const Record& r, const RecordPlace& p, Bytes set,
                      int set_at, proto_tree* tree) {
  const ItemWriter out{tree, p.tvb, p.pinfo, w.all};
  (void)out.number(fields.record.offset, p.at, 8, r.offset);
  if (b.magic != 0) out.time(fields.record.timestamp, p.at + 18, 8, r.timestamp);
  RecordPlace place = p;
  place.at = set_at;
  add_content(w, b, r, place, set, tree);
}

}  // namespace kparse::dissector
