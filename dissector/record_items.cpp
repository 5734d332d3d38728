// SPDX-License-Identifier: GPL-2.0-or-later
#include "record_items.h"

#include <algorithm>

#include "draft_items.h"
#include "experts.h"
#include "fields.h"
#include "item_writer.h"
#include "kparse/crc.h"
#include "kparse/payload.h"
#include "kparse/text.h"
#include "kparse/varint.h"
#include "payload_tree.h"
#include "preferences.h"
#include "record_names.h"
#include "text_line.h"

namespace kparse::dissector {
namespace {

constexpr std::size_t label_text = 40;  // bytes of a key or value in a record's label

/// A key or value, in short.
void put_short(TextLine& line, Bytes v, bool secret, packet_info* pinfo) {
  if (!v.data()) return line.put("null");
  if (v.empty()) return line.put("(empty)");
  if (secret) return line.put("(redacted)");
  const std::string_view all = text(v);
  std::size_t end = std::min(all.size(), label_text);
  while (end < all.size() && end > 0 && (all[end] & 0xc0) == 0x80) --end;
  if (!printable_utf8(all.substr(0, end))) {
    line.put(static_cast<std::int64_t>(v.size()));
    return line.put(v.size() == 1 ? " byte" : " bytes");
  }
  line.put(text_to_copy(all.substr(0, end), pinfo));
  if (end < all.size()) line.put("…");
}

/// What the library knows of a record's key and value.
struct Decoded {
  std::string_view key, value;  ///< JSON, "" none
  bool key_secret = false, value_secret = false;
};

Decoded decode(const Batch& b, const Record& r, std::string_view topic) noexcept {
  Decoded d;
  if (!b.control && topic.empty()) return d;
  const PayloadWriter w = payload_writer();
  if (b.control) {
    Error error;
    if (w.dump.payload(w.json, "control-value", 0, r.control_type, r.value, error)) d.value = w.json.view();
    return d;
  }
  const InternalDecoded value = decode_internal_value(w.dump, w.json, topic, r.key, r.value);
  const std::size_t value_size = w.json.size();
  const InternalDecoded key = decode_internal_key(w.dump, w.json, topic, r.key);
  const std::string_view all = w.json.view();
  if (value.done) d.value = all.substr(0, value_size);
  if (key.done) d.key = all.substr(value_size);
  if (d.key.starts_with(',')) d.key.remove_prefix(1);
  const bool show = preferences.show_secrets != 0;
  d.key_secret = key.secret && r.key.data() && !show;
  d.value_secret = value.secret && r.value.data() && !show;
  return d;
}

struct Part {
  int field, text_field, old_field;
  Bytes bytes;
  int at;
  int old_before;  ///< bytes of its length that the old item covers too
  std::string_view json;
  bool secret;
};

void add_part(const ItemWriter& out, const Part& p) {
  proto_item* item = nullptr;
  if (p.secret) {
    item = out.redacted(p.field, p.at);
  } else {
    item = out.bytes(p.field, p.at, p.bytes);
    if (p.bytes.data() && out.wants_twin(p.text_field) && printable_utf8(text(p.bytes)))
      out.twin_text(p.text_field, p.at, static_cast<int>(p.bytes.size()), text(p.bytes));
    const int size = static_cast<int>(p.bytes.size());
    out.twin_bytes(p.old_field, p.at - p.old_before, size + p.old_before, p.bytes);
  }
  if (p.json.empty()) return;
  proto_tree* const inside = out.all && item ? proto_item_add_subtree(item, subtrees.payload) : out.tree;
  add_json(out.tvb, p.at, p.secret ? 0 : static_cast<int>(p.bytes.size()), p.json, out.pinfo, inside);
}

/// Where a key or value stands that may be null: then where it would be.
int place(const RecordPlace& p, Bytes opened, Bytes v, int otherwise) noexcept {
  return v.data() ? p.at + static_cast<int>(v.data() - opened.data()) : otherwise;
}

void add_decoded(const ItemWriter& out, const Batch& b, const Record& r, const RecordPlace& p, Bytes opened, int key_at,
                 int value_at, const Decoded& d) {
  const Fields::Record& f = fields.record;
  const OldRecordNames& old = old_record_names();
  const int before = b.magic < 2 ? 4 : 0;
  if (b.control) {
    const std::string_view name = control_type_name(r.control_type);
    (void)out.text(f.control, place(p, opened, r.key, key_at), static_cast<int>(r.key.size()), name);
  }
  add_part(out,
           {f.key, f.key_text, old.message_key, r.key, place(p, opened, r.key, key_at), before, d.key, d.key_secret});
  add_part(out, {f.value, f.value_text, old.message_value, r.value, place(p, opened, r.value, value_at), before,
                 d.value, d.value_secret});
}

void add_headers(const ItemWriter& out, const Record& r, const RecordPlace& p, Bytes opened) {
  const Fields::Record& f = fields.record;
  const OldRecordNames& old = old_record_names();
  ItemWriter inside = out;
  if (out.all && r.header_count > 0)
    inside.tree =
        proto_tree_add_subtree_format(out.tree, out.tvb, p.at + static_cast<int>(r.headers.data() - opened.data()),
                                      static_cast<int>(r.headers.size()), subtrees.record_headers, nullptr,
                                      "headers: %d", static_cast<int>(r.header_count));
  HeaderReader headers(r);
  for (RecordHeader h; headers.next(h);) {
    if (full(out.tree)) return;
    const int name_at = p.at + static_cast<int>(reinterpret_cast<const std::uint8_t*>(h.name.data()) - opened.data());
    const int name_size = static_cast<int>(h.name.size());
    const int value_at = place(p, opened, h.value, name_at + name_size);
    const int end = value_at + static_cast<int>(h.value.size());
    ItemWriter one = inside;
    if (out.wants(f.header) || out.wants_twin(old.header)) {
      const auto pair = header_pair(h, p.pinfo);
      proto_item* const item = inside.text(f.header, name_at, end - name_at, pair);
      if (out.all) one.tree = proto_item_add_subtree(item, subtrees.record_headers);
      one.twin_text(old.header, name_at, end - name_at, pair);
    }
    (void)one.text(f.header_name, name_at, name_size, h.name);
    (void)one.bytes(f.header_value, value_at, h.value);
    one.twin_text(old.header_key, name_at, name_size, h.name);
    one.twin_bytes(old.header_value, value_at, static_cast<int>(h.value.size()), h.value);
  }
}

/// Of {"message":"OffsetCommitValue",...}.
std::string_view message_name(std::string_view json) noexcept {
  constexpr std::string_view begin = R"({"message":")";
  if (!json.starts_with(begin)) return {};
  json.remove_prefix(begin.size());
  return json.substr(0, json.find('"'));
}

void put_label(TextLine& line, const Batch& b, const Record& r, const Decoded& d, packet_info* pinfo) {
  line.put("[");
  line.put(std::int64_t{r.index});
  line.put("] offset ");
  line.put(r.offset);
  line.put(": ");
  if (b.control) return line.put(control_type_name(r.control_type));
  // What is in records of internal topics tells more than their bytes.
  const std::string_view key = message_name(d.key), value = message_name(d.value);
  if (!key.empty() || !value.empty()) {
    line.put(value.empty() ? key : value);
    if (!r.value.data()) line.put(" = null");
    return;
  }
  if (r.key.data()) {
    put_short(line, r.key, d.key_secret, pinfo);
    line.put(" = ");
  }
  put_short(line, r.value, d.value_secret, pinfo);
}

/// The record's own subtree, where somebody sees it.
proto_tree* subtree(const RecordWants& w, const Batch& b, const RecordRow& row, const RecordPlace& p, const Decoded& d,
                    proto_tree* tree) {
  if (!w.all) return tree;
  const bool secret = d.key_secret || d.value_secret;
  TextLine line;
  put_label(line, b, row.record, d, p.pinfo);
  return proto_tree_add_subtree(tree, p.tvb, p.at + static_cast<int>(row.at), secret ? 0 : static_cast<int>(row.size),
                                subtrees.record, nullptr, line.text());
}

/// Where the parts of a record's beginning end, from `at` of the batch on.
struct Beginning {
  int size, attributes, timestamp, offset, key;
};
Beginning beginning_of(Bytes opened, std::uint32_t at) noexcept {
  const std::uint8_t* const begin = opened.data();
  const std::uint8_t* const end = begin + opened.size();
  const std::uint8_t* p = begin + at;
  const auto here = [&] { return static_cast<int>(p - begin); };
  Beginning b{};
  std::int32_t small = 0;
  std::int64_t large = 0;
  p = read_varint(p, end, small);
  b.size = here();
  b.attributes = here() + 1;
  p = read_varlong(p + 1, end, large);
  b.timestamp = here();
  p = read_varint(p, end, small);
  b.offset = here();
  p = read_varint(p, end, small);
  b.key = here();
  return b;
}

}  // namespace

std::string_view header_pair(const RecordHeader& h, packet_info* pinfo) {
  static constexpr char digits[] = "0123456789abcdef";
  const std::string_view value = h.value.data() ? text(h.value) : std::string_view("null");
  const bool hex = !printable_utf8(value);
  auto* const all = static_cast<char*>(wmem_alloc(pinfo->pool, h.name.size() + 2 + 2 * value.size()));
  char* out = std::copy(h.name.begin(), h.name.end(), all);
  *out++ = ':';
  *out++ = ' ';
  if (!hex) out = std::copy(value.begin(), value.end(), out);
  for (std::size_t n = 0; hex && n < h.value.size(); ++n) {
    *out++ = digits[h.value[n] >> 4];
    *out++ = digits[h.value[n] & 15];
  }
  return {all, static_cast<std::size_t>(out - all)};
}

void add_content(const RecordWants& w, const Batch& b, const Record& r, const RecordPlace& p, Bytes opened,
                 proto_tree* tree) {
  if (!w.content) return;
  const Decoded d = decode(b, r, p.topic);
  add_decoded({tree, p.tvb, p.pinfo, w.all}, b, r, p, opened, p.at, p.at, d);
}

void add_record(const RecordWants& w, const Batch& b, const RecordRow& row, const RecordPlace& p, proto_tree* tree) {
  const Record& r = row.record;
  const Fields::Record& f = fields.record;
  const OldRecordNames& old = old_record_names();
  const Decoded d = w.content ? decode(b, r, p.topic) : Decoded{};
  const ItemWriter out{subtree(w, b, row, p, d, tree), p.tvb, p.pinfo, w.all};
  const Beginning at = beginning_of(b.opened, row.at);
  const int begin = p.at + static_cast<int>(row.at);
  const int attributes = b.opened[static_cast<std::size_t>(at.size)];

  (void)out.number(f.size, begin, p.at + at.size - begin, row.size - (static_cast<std::uint32_t>(at.size) - row.at));
  (void)out.number(f.attributes, p.at + at.size, 1, attributes);
  out.twin(old.record_attributes, p.at + at.size, 1, static_cast<std::int8_t>(attributes));
  (void)out.number(f.offset, p.at + at.timestamp, at.offset - at.timestamp, r.offset);
  out.time(f.timestamp, p.at + at.attributes, at.timestamp - at.attributes, r.timestamp);
  out.twin_time(old.message_timestamp, p.at + at.attributes, at.timestamp - at.attributes, r.timestamp);
  out.twin(old.offset, p.at + at.timestamp, at.offset - at.timestamp, r.offset);
  if (r.sequence >= 0) (void)out.made_up(f.sequence, p.at + at.timestamp, at.offset - at.timestamp, r.sequence);
  if (w.content) {
    const int value_at = p.at + at.key + static_cast<int>(r.key.size());
    add_decoded(out, b, r, p, b.opened, p.at + at.key, value_at, d);
  }
  if (w.headers) add_headers(out, r, p, b.opened);
}

void add_inner_message(const RecordWants& w, const Batch& b, const RecordRow& row, const RecordPlace& p,
                       proto_tree* tree) {
  const Record& r = row.record;
  const Fields::Record& f = fields.record;
  const OldRecordNames& old = old_record_names();
  const Decoded d = w.content ? decode(b, r, p.topic) : Decoded{};
  const ItemWriter out{subtree(w, b, row, p, d, tree), p.tvb, p.pinfo, w.all};
  const int at = p.at + static_cast<int>(row.at);
  if (row.size < 18) return;
  const Bytes message = b.opened.subspan(row.at, row.size);
  const std::uint8_t* const m = message.data();
  const auto crc = load_be<std::uint32_t>(m + 12);

  (void)out.number(f.offset, at, 8, r.offset);
  out.twin(old.offset, at, 8, load_be<std::int64_t>(m));
  (void)out.number(f.size, at + 8, 4, load_be<std::int32_t>(m + 8));
  out.twin(old.message_size, at + 8, 4, load_be<std::int32_t>(m + 8));
  proto_item* const crc_item = out.number(f.crc, at + 12, 4, crc);
  if (b.inner_crc_bad > 0 && crc32(message.subspan(16)) != crc)
    expert_add_info_format(p.pinfo, crc_item ? crc_item : out.tree, &experts.bad_crc,
                           "The message's CRC is 0x%08x, not 0x%08x", crc32(message.subspan(16)), crc);
  out.twin(old.message_crc, at + 12, 4, crc);
  out.twin(old.message_magic, at + 16, 1, m[16]);
  (void)out.number(f.attributes, at + 17, 1, m[17]);
  out.twin(old.message_codec, at + 17, 1, m[17]);
  out.twin(old.message_timestamp_type, at + 17, 1, m[17]);
  if (m[16] != 0 && row.size >= 26) {
    out.time(f.timestamp, at + 18, 8, r.timestamp);
    out.twin_time(old.message_timestamp, at + 18, 8, load_be<std::int64_t>(m + 18));
  }
  if (w.content) {
    const int key_at = at + (m[16] != 0 ? 30 : 22);
    add_decoded(out, b, r, p, b.opened, key_at, key_at + static_cast<int>(r.key.size()) + 4, d);
  }
  if (b.draft && w.headers) add_draft_headers(out, message, at);
}

}  // namespace kparse::dissector
