// SPDX-License-Identifier: MIT
#include "lint/body_pass.h"

#include "kparse/text.h"
#include "kparse/walker.h"

namespace kparse::lint {
namespace {

bool ascii(std::string_view s) noexcept {
  unsigned all = 0;
  for (const char c : s) all |= static_cast<unsigned char>(c);
  return all < 0x80;
}

bool valid_utf8(std::string_view s) noexcept {
  if (ascii(s)) return true;
  while (true) {   // plain_utf8 takes NUL for bad, which is valid here
    const std::size_t nul = s.find('\0');
    if (!plain_utf8(s.substr(0, nul))) return false;
    if (nul == s.npos) return true;
    s.remove_prefix(nul + 1);
  }
}

struct CheckSink : Sink {
  CheckSink(const BodyRules& r, Bytes b) : rules(r), all(b) {}
  const BodyRules& rules;
  Bytes all;

  void note(const Note& n) noexcept {
    for (Rule* r : rules.note) r->on_note(n, all);
  }
  void unknown_tag(NodeId n, std::uint32_t tag, Bytes value) noexcept {
    for (Rule* r : rules.unknown_tag) r->on_unknown_tag(n, tag, value, all);
  }
  void string(NodeId n, std::string_view v, Bytes span) noexcept {
    if (!valid_utf8(v)) note({.rule = Note::Rule::badUtf8, .node = n, .offset = at(span), .have = v.size()});
    length(n, span, v.size());
  }
  void bytes(NodeId n, Bytes v, Bytes span) noexcept { length(n, span, v.size()); }
  void records(NodeId n, Bytes v, Bytes span) noexcept { length(n, span, v.size()); }
  void null(NodeId n, Bytes span) noexcept { length(n, span, 0); }
  void framing(NodeId n, Bytes span) noexcept { length(n, span, 0); }

  std::uint64_t at(Bytes span) const noexcept { return static_cast<std::uint64_t>(span.data() - all.data()); }
  /// What stands before the value: a varint (whose last byte alone has no high bit), or a number of fixed size.
  void length(NodeId n, Bytes span, std::size_t value) noexcept {
    const Bytes prefix = span.first(span.size() - value);
    const bool too_big = prefix.size() == 5 && prefix.back() > 0x0f;   // bits that 32 don't hold
    if (prefix.size() < 2 || (prefix.back() != 0 && !too_big)) [[likely]]
      return;
    for (const std::uint8_t b : prefix.first(prefix.size() - 1))
      if (b < 0x80) return;
    for (Rule* r : rules.overlong) r->on_overlong(n, prefix, all);
  }
};

/// Numbers of a fixed size are skipped, many at a time: nothing can be wrong with how they are written.
Interest of_any_length() {
  Interest i = Interest::nothing();
  for (std::size_t n = 0; n < fields().size(); ++n) {
    const Field& f = field(static_cast<NodeId>(n));
    if (f.array || f.type == Type::string || f.type == Type::bytes || f.type == Type::records || f.type == Type::structure)
      i.add(static_cast<NodeId>(n));
  }
  return i;
}

}  // namespace

BodyPass::BodyPass(const BodyRules& rules) : rules_(rules), programs_(of_any_length()) {}

void BodyPass::body(const Message& m, int version, Bytes bytes) {
  const Layout layout = layout_for(m, version, bytes);
  CheckSink sink(rules_, bytes);
  if (layout.differs) sink.note(layout.note);
  (void)walk(programs_.get(layout), bytes, sink);
}

}  // namespace kparse::lint
