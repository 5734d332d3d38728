// SPDX-License-Identifier: MIT
#include "lint/registry.h"

#include <algorithm>

namespace kparse::lint {

#define KPARSE_RULE_NAME(name) extern const RuleEntry name;
#include "lint_rules.inc"
#undef KPARSE_RULE_NAME

namespace {

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c; }

bool same(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

bool matches(std::string_view pattern, std::string_view id) noexcept {
  if (!pattern.ends_with('*')) return same(pattern, id);
  pattern.remove_suffix(1);
  return same(pattern, id.substr(0, pattern.size()));
}

const std::vector<const RuleEntry*>& all() {
  static const std::vector<const RuleEntry*> rules = [] {
    std::vector<const RuleEntry*> r{
#define KPARSE_RULE_NAME(name) &name,
#include "lint_rules.inc"
#undef KPARSE_RULE_NAME
    };
    std::ranges::sort(r, {}, [](const RuleEntry* e) { return e->info.id; });
    return r;
  }();
  return rules;
}

bool names_one(std::string_view pattern) {
  return std::ranges::any_of(all(), [&](const RuleEntry* e) { return matches(pattern, e->info.id); });
}

/// "KP-SLOW.slow-ms" and "KP-SLOW.ms": the rule's own words may be left out of an option's name.
bool names_option(std::string_view given, const RuleInfo& rule, const RuleOption& option) noexcept {
  const std::size_t dot = given.rfind('.');
  if (dot == given.npos || !same(given.substr(0, dot), rule.id)) return false;
  const std::string_view name = given.substr(dot + 1);
  if (same(name, option.name)) return true;
  const std::size_t dash = option.name.find('-');
  if (dash == option.name.npos) return false;
  const std::string_view first = option.name.substr(0, dash);
  const std::size_t there = rule.id.size() < first.size() + 3 ? rule.id.npos : 0;
  bool in_id = false;
  for (std::size_t at = 3; there == 0 && at + first.size() <= rule.id.size(); ++at)
    in_id = in_id || same(rule.id.substr(at, first.size()), first);
  return in_id && same(name, option.name.substr(dash + 1));
}

void visit(int n, std::vector<char>& seen, std::vector<int>& order) {
  if (seen[static_cast<std::size_t>(n)]) return;
  seen[static_cast<std::size_t>(n)] = 1;
  for (const std::string_view id : all()[static_cast<std::size_t>(n)]->info.instead)
    if (const int first = rule_number(id); first >= 0) visit(first, seen, order);
  order.push_back(n);
}

}  // namespace

std::span<const RuleEntry* const> entries() noexcept { return all(); }

int rule_number(std::string_view id) noexcept {
  const auto& rules = all();
  const auto at = std::ranges::lower_bound(rules, id, {}, [](const RuleEntry* e) { return e->info.id; });
  return at != rules.end() && (*at)->info.id == id ? static_cast<int>(at - rules.begin()) : -1;
}

std::vector<int> calling_order() {
  std::vector<char> seen(all().size());
  std::vector<int> order;
  order.reserve(seen.size());
  for (int n = 0; n < static_cast<int>(seen.size()); ++n) visit(n, seen, order);
  return order;
}

bool chosen(const LintOptions& options, std::string_view id) noexcept {
  const auto fits = [&](const std::string& pattern) { return matches(pattern, id); };
  return (options.select.empty() || std::ranges::any_of(options.select, fits)) &&
         std::ranges::none_of(options.ignore, fits);
}

std::vector<double> values_of(const LintOptions& options, const RuleInfo& rule) {
  std::vector<double> values;
  for (const RuleOption& o : rule.options) {
    values.push_back(o.value);
    for (const auto& [name, value] : options.set)
      if (names_option(name, rule, o)) values.back() = value;
  }
  return values;
}

}  // namespace kparse::lint

namespace kparse {

std::span<const RuleInfo* const> rule_catalogue() noexcept {
  static const std::vector<const RuleInfo*> infos = [] {
    std::vector<const RuleInfo*> r;
    for (const lint::RuleEntry* e : lint::entries()) r.push_back(&e->info);
    return r;
  }();
  return infos;
}

const RuleInfo* find_rule(std::string_view id) noexcept {
  for (const RuleInfo* r : rule_catalogue())
    if (lint::same(r->id, id)) return r;
  return nullptr;
}

std::string wrong_with(const LintOptions& options) {
  for (const auto* list : {&options.select, &options.ignore})
    for (const std::string& pattern : *list)
      if (!lint::names_one(pattern)) return "no rule is called \"" + pattern + "\"";
  for (const auto& [name, value] : options.set) {
    const RuleInfo* const rule = find_rule(std::string_view(name).substr(0, name.rfind('.')));
    if (!rule) return "\"" + name + "\": no such rule; an option is named RULE.option";
    if (std::ranges::none_of(rule->options, [&, &name = name](const RuleOption& o) { return lint::names_option(name, *rule, o); })) {
      std::string known;
      for (const RuleOption& o : rule->options) known += (known.empty() ? "" : ", ") + std::string(o.name);
      return "\"" + name + "\": " + std::string(rule->id) + (known.empty() ? " has no options" : " has " + known);
    }
  }
  return {};
}

std::string_view name_of(Severity s) noexcept {
  static constexpr std::string_view names[] = {"info", "notice", "warning", "error"};
  return names[static_cast<std::size_t>(s)];
}

std::string_view name_of(RuleScope s) noexcept {
  static constexpr std::string_view names[] = {"capture", "connection", "frame",  "batch",
                                               "record",  "topic",      "client", "group"};
  return names[static_cast<std::size_t>(s)];
}

}  // namespace kparse
