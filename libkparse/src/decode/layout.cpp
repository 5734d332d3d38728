// SPDX-License-Identifier: MIT
// Which layout a body has, where one version number had several.
#include <new>

#include "kparse/decode.h"

namespace kparse {
namespace {

/// Hears only whether the walk ends at the body's end.
struct Fit : Sink {
  bool surplus = false;
  void note(const Note& n) noexcept { surplus = surplus || n.rule == Note::Rule::surplusBytes; }
};

ProgramSet& silent_programs() {
  thread_local ProgramSet programs(Interest::nothing());
  return programs;
}

bool fits(const Program& program, Bytes body) noexcept {
  Fit fit;
  return !walk(program, body, fit) && !fit.surplus;
}

/// Brokers of 0.9 answer a failed Produce or Fetch of version 1 as if it had been version 0.
bool answered_as_version_0(const Message& m, int version) noexcept {
  return version == 1 && m.kind == Kind::response && (m.api_key == 0 || m.api_key == 1);
}

/// Looked up by the root row: most messages have none.
bool has_alternatives(const Message& m) noexcept {
  static const auto* const known = [] {
    auto* bits = new (std::nothrow) bool[fields().size()]();
    for (const AltLayout& alt : alt_layouts())
      if (const Message* of = find_message(alt.message); of && bits) bits[of->root] = true;
    return bits;
  }();
  return known && known[m.root];
}

}  // namespace

Layout layout_for(const Message& m, int version, Bytes body) noexcept {
  Layout newest{.message = &m, .version = version};
  const bool old_broker = answered_as_version_0(m, version);
  if (!old_broker && !has_alternatives(m)) return newest;
  ProgramSet& programs = silent_programs();
  if (fits(programs.get(m, version), body)) return newest;
  if (old_broker) {
    if (!fits(programs.get(m, 0), body)) return newest;
    return {.message = &m,
            .version = 0,
            .differs = true,
            .note = {.rule = Note::Rule::otherVersion, .node = m.root, .have = 0, .need = 1}};
  }
  for (const AltLayout& alt : alt_layouts()) {
    if (alt.version != version || alt.message != m.name || !fits(programs.get_alt(alt), body)) continue;
    return {.message = &m,
            .version = version,
            .alt = &alt,
            .differs = true,
            .note = {.rule = Note::Rule::altLayout, .node = m.root}};
  }
  return newest;
}

}  // namespace kparse
