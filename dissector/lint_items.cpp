// SPDX-License-Identifier: GPL-2.0-or-later
#include "lint_items.h"

#include "fields.h"
#include "items.h"
#include "lint.h"

namespace kparse::dissector {

namespace {

struct LintExperts {
  expert_field error = EI_INIT, warning = EI_INIT, note = EI_INIT, chat = EI_INIT;
} found;

struct LintFields {
  int rule = -1, packet = -1;
} lint_fields;

expert_field* expert_of(Severity s) noexcept {
  switch (s) {
    case Severity::error:
      return &found.error;
    case Severity::warning:
      return &found.warning;
    case Severity::notice:
      return &found.note;
    case Severity::info:
      break;
  }
  return &found.chat;
}

void add(const LintHit& hit, tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree) {
  const LintFinding& f = *hit.finding;
  if (f.dropped) return;
  const char* const id = f.rule->id.data();  // rules' texts end with a zero
  const bool elsewhere = hit.packet != pinfo->num;
  const char* const text = elsewhere ? wmem_strdup_printf(pinfo->pool, "%s: packet %u: %s", id, hit.packet, f.message.c_str())
                                     : wmem_strdup_printf(pinfo->pool, "%s: %s", id, f.message.c_str());
  proto_item* const item = generated(proto_tree_add_string_format(tree, lint_fields.rule, tvb, 0, 0, id, "%s", text));
  proto_item* const packet = generated(proto_tree_add_uint(tree, lint_fields.packet, tvb, 0, 0, hit.packet));
  if (!elsewhere) hidden(packet);
  hidden(proto_tree_add_string(tree, fields.rule, tvb, 0, 0, id));
  expert_add_info_format(pinfo, item, expert_of(f.rule->severity), "%s", text);
}

}  // namespace

void register_lint_items(int proto) {
  static hf_register_info rows[] = {
      {&lint_fields.rule,
       {"Lint", "kparse.lint.rule", FT_STRING, BASE_NONE, nullptr, 0, "What kparse lint finds here, by the rule's id", HFILL}},
      {&lint_fields.packet,
       {"About packet", "kparse.lint.packet", FT_FRAMENUM, BASE_NONE, nullptr, 0, "Where the frame that it is about begins",
        HFILL}}};
  proto_register_field_array(proto, rows, array_length(rows));
  static ei_register_info experts[] = {
      {&found.error, {"kparse.lint.error", PI_PROTOCOL, PI_ERROR, "Lint: an error", EXPFILL}},
      {&found.warning, {"kparse.lint.warning", PI_PROTOCOL, PI_WARN, "Lint: a warning", EXPFILL}},
      {&found.note, {"kparse.lint.note", PI_PROTOCOL, PI_NOTE, "Lint: a notice", EXPFILL}},
      {&found.chat, {"kparse.lint.chat", PI_PROTOCOL, PI_CHAT, "Lint: good to know", EXPFILL}}};
  expert_register_field_array(expert_register_protocol(proto), experts, array_length(experts));
}

void add_lint(const Pdu& p, tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree) {
  if (const Lint* const l = lint())
    for (const LintHit& h : l->of(p)) add(h, tvb, pinfo, tree);
}

void add_packet_lint(tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree) {
  const Lint* const l = lint();
  if (!l || (!tree && !experts_wanted())) return;
  const auto hits = PINFO_FD_VISITED(pinfo) ? l->about(pinfo->num) : l->told_in(pinfo->num);
  bool any = false;
  for (const LintHit& h : hits) any = any || !h.finding->dropped;
  if (!any) return;
  proto_tree* const sub = proto_tree_add_subtree(tree, tvb, 0, 0, subtrees.frame, nullptr, "Kafka (kparse), lint");
  for (const LintHit& h : hits) add(h, tvb, pinfo, sub);
}

}  // namespace kparse::dissector
