// SPDX-License-Identifier: GPL-2.0-or-later
// A reader of JSON that the library wrote: well-formed, no blanks. Bounded in depth and number all the same.
#include <string_view>

#include "experts.h"
#include "fields.h"
#include "items.h"
#include "payload_tree.h"

namespace kparse::dissector {
namespace {

constexpr int deepest = 64;
constexpr unsigned most_items =
    20'000;  // all of them stand for the same bytes, of which Wireshark bears no more than 50,000

struct JsonItems {
  tvbuff_t* tvb;
  int at, length;
  packet_info* pinfo;
  const char* next;
  const char* end;
  bool all;
  unsigned items = 0;
  bool stopped = false;

  [[nodiscard]] char peek() const noexcept { return next < end ? *next : '\0'; }
  bool take(char c) noexcept {
    if (peek() != c) return false;
    ++next;
    return true;
  }
};

int hex(char c) noexcept { return c <= '9' ? c - '0' : (c | 32) - 'a' + 10; }

/// UTF-8 of what \uXXXX stands for: no more bytes than the escape has. NUL, which would end the text, as its picture.
char* put_code(unsigned code, char* out) noexcept {
  if (code == 0) code = 0x2400;
  if (code < 0x80) {
    *out++ = static_cast<char>(code);
    return out;
  }
  if (code < 0x800) {
    *out++ = static_cast<char>(0xc0 | code >> 6);
  } else {
    *out++ = static_cast<char>(0xe0 | code >> 12);
    *out++ = static_cast<char>(0x80 | (code >> 6 & 63));
  }
  *out++ = static_cast<char>(0x80 | (code & 63));
  return out;
}

/// The string that begins here, in packet scope; escapes undone.
const char* read_string(JsonItems& j) {
  if (!j.take('"')) return "";
  const char* stop = j.next;
  while (stop < j.end && *stop != '"') stop += *stop == '\\' ? 2 : 1;
  if (stop > j.end) stop = j.end;
  auto* text = static_cast<char*>(wmem_alloc(j.pinfo->pool, static_cast<std::size_t>(stop - j.next) + 1));
  char* out = text;
  while (j.next < stop) {
    char c = *j.next++;
    if (c == '\\' && j.next < stop) {
      c = *j.next++;
      if (c == 'n') c = '\n';
      if (c == 't') c = '\t';
      if (c == 'r') c = '\r';
      if (c == 'b') c = '\b';
      if (c == 'f') c = '\f';
      if (c == 'u' && stop - j.next >= 4) {
        unsigned code = 0;
        for (int n = 0; n < 4; ++n) code = code << 4 | static_cast<unsigned>(hex(*j.next++));
        out = put_code(code, out);
        continue;
      }
    }
    *out++ = c;
  }
  *out = 0;
  (void)j.take('"');
  return text;
}

/// A number, true, false or null.
const char* read_word(JsonItems& j) {
  const char* const from = j.next;
  while (j.next < j.end && *j.next != ',' && *j.next != '}' && *j.next != ']') ++j.next;
  return wmem_strndup(j.pinfo->pool, from, static_cast<gsize>(j.next - from));
}

void add_any(JsonItems& j, const char* name, proto_tree* tree, int depth);

void add_members(JsonItems& j, proto_tree* tree, int depth) {
  while (!j.stopped && j.peek() != '}' && j.next < j.end) {
    const char* const name = read_string(j);
    if (!j.take(':')) break;
    add_any(j, name, tree, depth);
    if (!j.take(',')) break;
  }
  (void)j.take('}');
}

void add_elements(JsonItems& j, proto_tree* tree, int depth) {
  for (unsigned n = 0; !j.stopped && j.peek() != ']' && j.next < j.end; ++n) {
    add_any(j, j.all ? wmem_strdup_printf(j.pinfo->pool, "[%u]", n) : "", tree, depth);
    if (!j.take(',')) break;
  }
  (void)j.take(']');
}

void add_any(JsonItems& j, const char* name, proto_tree* tree, int depth) {
  if (++j.items > most_items || full(tree) || depth > deepest) {
    j.stopped = true;
    return;
  }
  const char c = j.peek();
  if (c == '{' || c == '[') {
    ++j.next;
    proto_tree* const inside =
        j.all ? proto_tree_add_subtree(tree, j.tvb, j.at, j.length, subtrees.payload, nullptr, name) : tree;
    if (c == '{')
      add_members(j, inside, depth + 1);
    else
      add_elements(j, inside, depth + 1);
    return;
  }
  const char* const value = c == '"' ? read_string(j) : read_word(j);
  proto_tree_add_string_format(tree, fields.payload_value, j.tvb, j.at, j.length,
                               wmem_strdup_printf(j.pinfo->pool, "%s: %s", name, value), "%s: %s", name, value);
}

}  // namespace

void add_json(tvbuff_t* tvb, int at, int length, std::string_view json, packet_info* pinfo, proto_tree* tree) {
  const bool all = visible(tree);
  if (!all && !asked_for(fields.payload_value)) return;
  JsonItems j{.tvb = tvb,
              .at = at,
              .length = length,
              .pinfo = pinfo,
              .next = json.data(),
              .end = json.data() + json.size(),
              .all = all};
  if (j.take('{')) {
    add_members(j, tree, 0);
  } else if (j.take('[')) {
    add_elements(j, tree, 0);
  } else {
    add_any(j, "value", tree, 0);
  }
  if (j.stopped)
    expert_add_info_format(pinfo, tree, &experts.limit, "Not all of the payload is shown: it has too many parts");
}

}  // namespace kparse::dissector
