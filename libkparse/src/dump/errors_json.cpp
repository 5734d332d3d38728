// SPDX-License-Identifier: MIT
#include "dump/utf8.h"
#include "kparse/json.h"

namespace kparse {
namespace {

void write_place(JsonWriter& out, NodeId node, std::uint64_t offset) noexcept {
  char path[256];
  out.key("field");
  const std::string_view name = node == no_node ? std::string_view{} : path_of(node, path);
  if (name.empty()) {
    out.null();
  } else {
    (void)out.string(name);
  }
  out.key("offset");
  out.unsigned_integer(offset);
}

std::string_view message_of(Note::Rule r) noexcept {
  switch (r) {
    case Note::Rule::surplusBytes:
      return "bytes follow the last field";
    case Note::Rule::tagSize:
      return "a tagged field's value does not use its size exactly; Kafka's own readers would go on where the value "
             "ends";
    case Note::Rule::tagOrder:
      return "tagged fields out of order or given twice: the last one of a number counts";
    case Note::Rule::nullNotAllowed:
      return "null where the schema allows none";
    case Note::Rule::altLayout:
      return "decoded by the layout that an older release wrote under this version";
    case Note::Rule::otherVersion:
      return "decoded by the layout of a neighbouring version: this one's does not fit";
    case Note::Rule::badUtf8:
      return "not valid UTF-8";
  }
  return "";
}

}  // namespace

void write_error(JsonWriter& out, const Error& e) noexcept {
  out.begin_object();
  out.key("code");
  (void)out.string(name_of(e.code));
  write_place(out, e.node, e.offset);
  out.key("need");
  out.unsigned_integer(e.need);
  out.key("have");
  out.unsigned_integer(e.have);
  if (e.limit != Limit::none) {
    out.key("limit");
    (void)out.string(name_of(e.limit));
  }
  out.end_object();
}

void write_note(JsonWriter& out, const Note& n) noexcept {
  out.begin_object();
  out.key("rule");
  (void)out.string(name_of(n.rule));
  write_place(out, n.node, n.offset);
  out.key("message");
  (void)out.string(message_of(n.rule));
  if (n.have > 0) {
    out.key("have");
    out.unsigned_integer(n.have);
  }
  if (n.need > 0) {
    out.key("need");
    out.unsigned_integer(n.need);
  }
  out.end_object();
}

void write_bytes(JsonWriter& out, Bytes b, BytesAs as) noexcept {
  if (!b.data()) return out.null();
  switch (as) {
    case BytesAs::base64:
      return out.base64(b);
    case BytesAs::hex:
      return out.hex(b);
    case BytesAs::nothing:
    case BytesAs::text:
      break;
  }
  if (out.printable_string(text(b))) return;
  out.begin_object();
  out.key("base64");
  out.base64(b);
  out.end_object();
}

}  // namespace kparse
