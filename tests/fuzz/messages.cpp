// SPDX-License-Identifier: MIT
#include "messages.h"

#include <array>
#include <string>
#include <vector>

#include "commands/json_source.h"
#include "kparse/encode.h"
#include "kparse/json.h"
#include "kparse/tree.h"
#include "paper.h"
#include "targets.h"

namespace kparse::fuzz {

Chosen choose_message(Input& in) noexcept {
  static const std::array<const Message*, 256> others = [] {
    std::array<const Message*, 256> all{};
    for (const Message& m : kparse::messages()) {
      if (m.kind == Kind::request || m.kind == Kind::response) continue;
      std::uint32_t hash = 2166136261u;
      for (const char c : m.name) hash = (hash ^ static_cast<std::uint8_t>(c)) * 16777619u;
      if (const Message*& at = all[hash & 255]; at == nullptr) at = &m;
    }
    return all;
  }();
  const std::uint8_t key = in.u8(), version = in.u8(), other = in.u8();
  const Message* m = nullptr;
  if (const Api* api = find_api(key & 0x7f)) m = (key & 0x80) != 0 ? api->response : api->request;
  if (m == nullptr) m = others[other];
  if (m == nullptr || m->versions.empty()) return {};
  return {m, m->versions.lo + version % (m->versions.hi - m->versions.lo + 1)};
}

namespace {

/// Leaves tile the body; nothing is told twice.
void tree_of(const Message& m, int version, Bytes body) {
  static ProgramSet programs(Interest::everything());
  static Tree tree;
  (void)tree.fill(programs, {.message = &m, .version = version}, body);
  std::size_t at = 0;
  for (const TreeNode& n : tree.nodes()) {
    if (!n.leaf()) continue;
    KPARSE_HOLDS(n.offset == at);
    at += n.length;
  }
  KPARSE_HOLDS(at == body.size());
}

struct Nobody : Sink {};

void skipped(const Message& m, int version, Bytes body, bool fails) {
  static ProgramSet programs(Interest::nothing());
  Nobody nobody;
  const Error e = walk(programs.get(m, version), body, nobody);
  KPARSE_HOLDS((e.code != Code::none) == fails);
  KPARSE_HOLDS(e.offset <= body.size());
}

}  // namespace

void messages(Bytes input) {
  Input in(input);
  const Chosen chosen = choose_message(in);
  if (chosen.message == nullptr) return;
  const Message& m = *chosen.message;
  const Copy body(in.rest());
  (void)layout_for(m, chosen.version, body);
  tree_of(m, chosen.version, body);

  static JsonWriter json, again;
  json.clear();
  static JsonDump people({.record_limits = {.max_batch = 1u << 20}});
  (void)people.body(json, m, chosen.version, body);
  KPARSE_HOLDS(is_json(json.view()));

  // What was read without a complaint is the same after writing and reading it.
  static JsonDump exact({.show_secrets = true, .unknown_tags = true, .decoded = false, .records = RecordsAs::base64});
  json.clear();
  const Error error = exact.body(json, m, chosen.version, body);
  KPARSE_HOLDS(is_json(json.view()));
  if (exact.all_notes() > 0) return;  // also another layout
  skipped(m, chosen.version, body, error.code != Code::none);
  if (error) return;
  rapidjson::Document document;
  document.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseFullPrecisionFlag>(json.view().data(), json.view().size());
  KPARSE_HOLDS(!document.HasParseError());
  static const cli::JsonSource source;
  static Encoder encoder(source);
  static Writer written;
  written.clear();
  if (const EncodeError e = encoder.message(m, chosen.version, cli::JsonSource::value(document), written)) {
    // What readers take and writers refuse: a null where none is allowed is a note, but these are not.
    KPARSE_HOLDS(e.code == EncodeError::Code::tagOrder || e.code == EncodeError::Code::tagKnown);
    return;
  }
  again.clear();
  KPARSE_HOLDS(!exact.body(again, m, chosen.version, written.view()));
  KPARSE_HOLDS(again.view() == json.view());
}

void encode(Bytes input) {
  Input in(input);
  const Chosen chosen = choose_message(in);
  if (chosen.message == nullptr) return;
  const std::string text_of(text(in.rest()));
  rapidjson::Document document;
  // Not with full precision: RapidJSON's asserts don't hold for numbers beyond a double, which the command refuses before.
  document.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(text_of.data(), text_of.size());
  if (document.HasParseError()) return;
  static const cli::JsonSource source;
  static Encoder encoder(source);
  static Writer written;
  written.clear();
  char buffer[256];
  if (const EncodeError e = encoder.message(*chosen.message, chosen.version, cli::JsonSource::value(document), written)) {
    KPARSE_HOLDS(written.size() == 0);
    KPARSE_HOLDS(!message_of(e, buffer).empty());
    (void)path_of(e.place, buffer);
    return;
  }
  static JsonDump exact({.show_secrets = true, .unknown_tags = true, .decoded = false, .records = RecordsAs::base64});
  JsonWriter json;
  KPARSE_HOLDS(!exact.body(json, *chosen.message, chosen.version, written.view()));
  // RapidJSON lets a lone surrogate through (a second half without its first), which is no UTF-8.
  for (const Note& n : exact.notes()) KPARSE_HOLDS(n.rule == Note::Rule::badUtf8);
}

}  // namespace kparse::fuzz
