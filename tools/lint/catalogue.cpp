// SPDX-License-Identifier: MIT
#include "lint/catalogue.h"

#include <algorithm>

#include <fmt/format.h>

#include "lint/wrap.h"
#include "output/table.h"
#include "story/json.h"

namespace kparse::findings {
namespace {

using cli::Style;

Style style_of(Severity s) {
  switch (s) {
    case Severity::error: return Style::red;
    case Severity::warning: return Style::yellow;
    case Severity::notice: return Style::cyan;
    case Severity::info: break;
  }
  return Style::dim;
}

}  // namespace

std::vector<std::string_view> sources_of(const RuleInfo& rule) {
  std::vector<std::string_view> sources;
  for (std::string_view rest = rule.sources; !rest.empty();) {
    const std::size_t end = std::min(rest.find("; "), rest.size());
    sources.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 2, rest.size()));
  }
  return sources;
}

std::string value_text(const RuleOption& option) {
  // Numbers as people write them: no exponent, no useless zeros.
  std::string text = fmt::format("{:.6f}", option.value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return option.unit.empty() ? text : fmt::format("{} {}", text, option.unit);
}

void print_rules(cli::Output& out, const cli::Painter& paint, Rules rules) {
  std::size_t id = 0;
  for (const RuleInfo* r : rules) id = std::max(id, r->id.size());
  for (const RuleInfo* r : rules)
    out.write(wrapped(r->condition, id + 11,
                      fmt::format("{}{}  {}{}", paint(Style::bold, r->id), std::string(id - r->id.size(), ' '),
                                  paint(style_of(r->severity), name_of(r->severity)),
                                  std::string(9 - name_of(r->severity).size(), ' '))));
  out.print("\n{} rules. kparse rules RULE explains one: why, what to do, an example, its thresholds and sources.\n", rules.size());
}

void print_rule(cli::Output& out, const cli::Painter& paint, const RuleInfo& rule) {
  const auto part = [&](std::string_view name, std::string_view text) {
    if (text.empty()) return;
    out.write(wrapped(text, 11, fmt::format("  {}{}", paint(Style::dim, name), std::string(9 - name.size(), ' '))));
  };
  out.print("{}  {}\n", paint(Style::bold, rule.id), paint(style_of(rule.severity), name_of(rule.severity)));
  part("when", rule.condition);
  part("example", rule.example);
  part("why", rule.why);
  part("to do", rule.fix);
  for (const RuleOption& option : rule.options)
    part(&option == rule.options.data() ? "options" : "",
         fmt::format("{}.{} = {}: {}", rule.id, option.name, value_text(option), option.meaning));
  std::string instead;
  for (const std::string_view id : rule.instead) instead += fmt::format("{}{}", instead.empty() ? "" : ", ", id);
  part("silent", instead.empty() ? std::string() : fmt::format("where {} {} the same more exactly", instead,
                                                               rule.instead.size() == 1 ? "says" : "say"));
  part("healthy", rule.healthy ? "traffic with nothing wrong may have it" : "");
  part("scope", fmt::format("looks at a {}", name_of(rule.scope)));
  part("sources", rule.sources);
}

void write_rules(JsonWriter& json, Rules rules) {
  json.key("rules");
  json.begin_array();
  for (const RuleInfo* r : rules) {
    json.begin_object();
    story::text(json, "id", r->id);
    story::text(json, "severity", name_of(r->severity));
    story::text(json, "scope", name_of(r->scope));
    story::text(json, "condition", r->condition);
    story::text(json, "why", r->why);
    story::text(json, "fix", r->fix);
    story::text(json, "example", r->example);
    json.key("sources");
    json.begin_array();
    for (const std::string_view source : sources_of(*r)) json.string(source);
    json.end_array();
    json.key("healthy");
    json.boolean(r->healthy);
    json.key("options");
    json.begin_array();
    for (const RuleOption& option : r->options) {
      json.begin_object();
      story::text(json, "name", option.name);
      json.key("value");
      json.float64(option.value);
      story::text_or_null(json, "unit", option.unit);
      story::text(json, "meaning", option.meaning);
      json.end_object();
    }
    json.end_array();
    json.key("instead");
    json.begin_array();
    for (const std::string_view id : r->instead) json.string(id);
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

}  // namespace kparse::findings
