// SPDX-License-Identifier: GPL-2.0-or-later
#include "items.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <vector>

#include "experts.h"
#include "fields.h"
#include "kparse/text.h"
#include "protocol.h"
#include "text_line.h"

namespace kparse::dissector {
namespace {

/// A set of fields, some of which may be asked for.
struct Watched {
  std::vector<const header_field_info*> fields;
  bool named = false;  ///< on the command line

  void add(const header_field_info* f) {
    if (!f) return;
    fields.push_back(f);
    named = named || is_named(f->id);
  }
  [[nodiscard]] bool filtered() const noexcept {
    for (const header_field_info* f : fields)
      if (f->ref_type != HF_REF_TYPE_NONE) return true;
    return false;
  }
};

const Watched& old_names() {
  static const Watched& all = *[] {
    auto* found = new Watched;
    void* cookie = nullptr;
    for (const header_field_info* f = proto_get_first_protocol_field(proto_kparse, &cookie); f;
         f = proto_get_next_protocol_field(proto_kparse, &cookie))
      if (std::string_view(f->abbrev).starts_with("kafka.")) found->add(f);
    return found;
  }();
  return all;
}

const Watched& own_experts() {
  static const Watched& all = *[] {
    auto* found = new Watched;
    for (const expert_field* e :
         {&experts.malformed, &experts.note, &experts.remark, &experts.bad_crc, &experts.records,
          &experts.unknown_magic, &experts.partial_batch, &experts.error_code, &experts.limit})
      if (e->hf > 0) found->add(proto_registrar_get_nth(static_cast<unsigned>(e->hf)));
    return found;
  }();
  return all;
}

/// Wireshark's fields of all expert items.
const Watched& all_experts() {
  static const Watched& all = *[] {
    auto* found = new Watched;
    for (const char* name : {"_ws.expert", "_ws.expert.message", "_ws.expert.group", "_ws.expert.severity"})
      found->add(proto_registrar_get_byname(name));
    return found;
  }();
  return all;
}

}  // namespace

bool filters_look() {
  // A field that a filter has marks its protocol too.
  static const header_field_info* const protocol = proto_registrar_get_nth(static_cast<unsigned>(proto_kparse));
  return protocol->ref_type != HF_REF_TYPE_NONE;
}

bool any_asked_for() { return prints_named_fields_only() || filters_look(); }

bool old_name_asked_for() { return old_names().named || (filters_look() && old_names().filtered()); }

bool experts_wanted() {
  static const int tap = find_tap_id("expert");
  if (tap > 0 && have_tap_listener(tap)) return true;
  if (all_experts().named || own_experts().named) return true;
  return all_experts().filtered() || (filters_look() && own_experts().filtered());
}

bool full(const proto_tree* tree) {
  if (!tree) return false;
  const unsigned most = prefs.gui_max_tree_items;
  return PTREE_DATA(tree)->count > (visible(tree) ? most / 5 : most / 4 * 3);
}

bool twins_fit(const proto_tree* tree) {
  return visible(tree) && PTREE_DATA(tree)->count < prefs.gui_max_tree_items / 10;
}

const char* text_for_item(std::string_view text, packet_info* pinfo) {
  if (text.empty()) return "";
  if (plain_utf8(text)) return wmem_strndup(pinfo->pool, text.data(), text.size());
  auto* copy = static_cast<char*>(wmem_alloc(pinfo->pool, clean_utf8_size(text.size()) + 1));
  copy[clean_utf8(text, copy)] = 0;
  return copy;
}

const char* text_to_copy(std::string_view text, packet_info* pinfo) {
  static std::array<char, 4096> copy;
  if (text.size() >= copy.size() || !plain_utf8(text)) return text_for_item(text, pinfo);
  std::copy(text.begin(), text.end(), copy.begin());
  copy[text.size()] = 0;
  return copy.data();
}

const char* uuid_for_item(const std::uint8_t* id, packet_info* pinfo) {
  char text[uuid_text_size];
  uuid_text(id, text);
  return wmem_strndup(pinfo->pool, text, sizeof text);
}

namespace {

/// " (2023-11-14 22:13:20.123 UTC)"; nothing for times that have no date.
void put_time(TextLine& line, std::int64_t ms) noexcept {
  constexpr std::int64_t year_10000 = 253'402'300'800;
  static std::time_t last = -1;  // records that follow each other are of the same second, mostly
  static char date[24];
  const std::time_t seconds = ms / 1000;
  if (seconds >= year_10000) return;
  if (seconds != last) {
    std::tm parts;
    if (!gmtime_r(&seconds, &parts)) return;
    std::strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &parts);
    last = seconds;
  }
  const auto rest = static_cast<int>(ms % 1000);
  const char fraction[] = {'.', static_cast<char>('0' + rest / 100), static_cast<char>('0' + rest / 10 % 10),
                           static_cast<char>('0' + rest % 10)};
  line.put(" (");
  line.put(date);
  line.put({fraction, sizeof fraction});
  line.put(" UTC)");
}

}  // namespace

nstime_t time_of_ms(std::int64_t ms) noexcept {
  nstime_t t;
  std::int64_t seconds = ms / 1000, rest = ms % 1000;
  if (rest < 0) {
    rest += 1000;
    --seconds;
  }
  t.secs = static_cast<time_t>(seconds);
  t.nsecs = static_cast<int>(rest) * 1'000'000;
  return t;
}

void add_time(proto_tree* tree, proto_item* item, tvbuff_t* tvb, int at, int length, std::int64_t ms) {
  if (ms < 0) return;
  const nstime_t time = time_of_ms(ms);
  if (!visible(tree)) {
    if (asked_for(fields.time)) proto_tree_add_time(tree, fields.time, tvb, at, length, &time);
    return;
  }
  const header_field_info* const info = PITEM_FINFO(item)->hfinfo;
  TextLine line;
  line.put(info->name);
  line.put(": ");
  line.put(ms);
  put_time(line, ms);
  proto_item_set_text(item, "%s", line.text());
  generated(proto_tree_add_time(proto_item_add_subtree(item, subtrees.structure), fields.time, tvb, at, length, &time));
}

}  // namespace kparse::dissector
