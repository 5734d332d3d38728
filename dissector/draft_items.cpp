// SPDX-License-Identifier: GPL-2.0-or-later
#include "draft_items.h"

#include <new>

#include <wsutil/report_message.h>

#include "fields.h"
#include "kparse/header_register.h"
#include "kparse/wrappers.h"
#include "preferences.h"
#include "record_items.h"

namespace kparse::dissector {
namespace {

HeaderRegister& names() {
  static HeaderRegister& kept = *new HeaderRegister;
  return kept;
}

/// Where the integer of a key or length ends that begins at `at`; it has been read before.
const std::uint8_t* after_int(const std::uint8_t* at, const std::uint8_t* end, DraftForm form) noexcept {
  std::int32_t unused = 0;
  const std::uint8_t* const next = form == DraftForm::int32         ? at + 4
                                   : form == DraftForm::messagepack ? read_messagepack_int(at, end, unused)
                                                                    : read_tfile_int(at, end, unused);
  return next ? next : end;
}

void add_int_header(const ItemWriter& out, const IntHeader& h, int key_at, int key_size, int value_at) {
  const Fields::Record& f = fields.record;
  const std::string_view name = names().name_of(h.key);
  const char* const shown = name.empty() ? wmem_strdup_printf(out.pinfo->pool, "%d", h.key)
                                         : wmem_strdup_printf(out.pinfo->pool, "%d (%.*s)", h.key,
                                                              static_cast<int>(name.size()), name.data());
  const int size = value_at + static_cast<int>(h.value.size()) - key_at;
  ItemWriter one = out;
  if (out.wants(f.header)) {
    proto_item* const item = out.text(f.header, key_at, size, header_pair({shown, h.value}, out.pinfo));
    if (out.all) one.tree = proto_item_add_subtree(item, subtrees.record_headers);
  }
  (void)one.number(f.header_key, key_at, key_size, h.key);
  if (!name.empty() && one.wants(f.header_registered)) generated(one.text(f.header_registered, key_at, key_size, name));
  (void)one.bytes(f.header_value, value_at, h.value);
}

void add_int_headers(const ItemWriter& out, const DraftMessage& m, Bytes message, int at) {
  const auto place = [&](const std::uint8_t* p) { return at + static_cast<int>(p - message.data()); };
  const std::uint8_t* next = m.headers.data();
  const std::uint8_t* const end = next + m.headers.size();
  IntHeaderReader reader(m);
  for (IntHeader h; reader.next(h) && !full(out.tree);) {
    const std::uint8_t* const after_key = after_int(next, end, m.form);
    const std::uint8_t* const value = h.value.data() ? h.value.data() : after_int(after_key, end, m.form);
    add_int_header(out, h, place(next), static_cast<int>(after_key - next), place(value));
    next = value + h.value.size();
  }
}

/// The map of the first weeks: names and values as they stand there, without what the form escapes.
void add_map(const ItemWriter& out, Bytes map, Bytes message, int at) {
  const Fields::Record& f = fields.record;
  const auto place = [&](std::string_view s) {
    return at + static_cast<int>(reinterpret_cast<const std::uint8_t*>(s.data()) - message.data());
  };
  StringMap entries(map);
  Writer name, value;
  for (StringMapEntry e; entries.next(e) && !full(out.tree);) {
    name.clear();
    value.clear();
    unescape(e.name, entries.form(), name);
    unescape(e.value, entries.form(), value);
    const Bytes shown = e.null ? Bytes{} : value.view();
    const int begin = place(e.name), end = e.null ? begin + static_cast<int>(e.name.size())
                                                  : place(e.value) + static_cast<int>(e.value.size());
    ItemWriter one = out;
    if (out.wants(f.header)) {
      proto_item* const item =
          out.text(f.header, begin, end - begin, header_pair({text(name.view()), shown}, out.pinfo));
      if (out.all) one.tree = proto_item_add_subtree(item, subtrees.record_headers);
    }
    (void)one.text(f.header_name, begin, static_cast<int>(e.name.size()), text(name.view()));
    if (!e.null)
      (void)one.bytes(f.header_value, place(e.value),
                      Bytes{reinterpret_cast<const std::uint8_t*>(e.value.data()), e.value.size()});
  }
}

}  // namespace

DraftReader* draft_reader() noexcept {
  static DraftReader* kept = nullptr;
  if (preferences.draft_headers < 0) return nullptr;
  const auto profile = static_cast<DraftProfile>(preferences.draft_headers);
  if (!kept || kept->profile() != profile) {
    delete kept;
    kept = new (std::nothrow) DraftReader(profile, &names());
  }
  return kept;
}

void load_header_register(const char* path) {
  static const char* last = "";
  if (!path || g_strcmp0(path, last) == 0) return;
  last = g_strdup(path);
  char* content = nullptr;
  gsize size = 0;
  if (*path && !g_file_get_contents(path, &content, &size, nullptr))
    report_failure("kparse: %s: the header register could not be read", path);
  if (const HeaderRegister::Problem p = names().parse({content ? content : "", size}))
    report_failure("kparse: %s, line %u: %.*s '%.*s'", path, static_cast<unsigned>(p.line),
                   static_cast<int>(p.what.size()), p.what.data(), static_cast<int>(p.where.size()), p.where.data());
  g_free(content);
}

void add_draft_headers(const ItemWriter& out, Bytes message, int at) {
  const DraftReader* const reader = draft_reader();
  DraftMessage m;
  if (!reader || read_draft_message(message, reader->profile(), m) || m.headers.empty()) return;
  const int begin = at + static_cast<int>(m.headers.data() - message.data()), size = static_cast<int>(m.headers.size());
  ItemWriter inside = out;
  if (out.all) {
    inside.tree = reader->int_keys()
                      ? proto_tree_add_subtree_format(out.tree, out.tvb, begin, size, subtrees.record_headers, nullptr,
                                                      "headers: %d", static_cast<int>(m.header_count))
                      : proto_tree_add_subtree(out.tree, out.tvb, begin, size, subtrees.record_headers, nullptr,
                                               "headers: a map");
  }
  if (reader->int_keys())
    add_int_headers(inside, m, message, at);
  else
    add_map(inside, m.headers, message, at);
}

}  // namespace kparse::dissector
