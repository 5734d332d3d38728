// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "lint/findings_out.h"
#include "lint/wrap.h"
#include "output/human.h"

namespace kparse::findings {
namespace {

using cli::human_count;
using cli::printable;
using cli::Style;

constexpr std::size_t shown_of_a_rule = 5, shown_at_the_top = 8;
constexpr Severity worst_first[] = {Severity::error, Severity::warning, Severity::notice, Severity::info};

Style style_of(Severity s) {
  switch (s) {
    case Severity::error: return Style::red;
    case Severity::warning: return Style::yellow;
    case Severity::notice: return Style::cyan;
    case Severity::info: break;
  }
  return Style::dim;
}

/// "3 errors, 1 warning".
std::string counts(const Found& found) {
  std::string text;
  for (const Severity s : worst_first) {
    const auto n = std::count_if(found.findings.begin(), found.findings.end(),
                                 [s](const Finding& f) { return f.rule->severity == s; });
    if (n == 0) continue;
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", human_count(static_cast<std::uint64_t>(n)), name_of(s),
                        n > 1 && s != Severity::info ? "s" : "");
  }
  return text;
}

/// "packet 12", "packets 12, 40, 53 and 9 more", with the file's name where there are several.
std::string places(const Finding& f, const Found& found) {
  const bool several = found.captures.size() > 1;
  const std::vector<Stamp> packets = packets_of(f);
  std::string text = packets.size() > 1 ? "packets" : "packet";
  for (std::size_t i = 0; i < packets.size(); ++i) {
    const Stamp& at = packets[i];
    text += i == 0 ? " " : ", ";
    text += std::to_string(at.packet);
    if (several && (i + 1 == packets.size() || packets[i + 1].file != at.file))
      text += fmt::format(" of {}", printable(found.capture(at)));
  }
  if (f.count > f.places.size()) text += fmt::format(" and {} more", human_count(f.count - f.places.size()));
  return text;
}

std::string where(const Finding& f, const Found& found) {
  std::string text = places(f, found);
  if (!f.client.empty()) text += fmt::format("  ·  {}", printable(f.client));
  if (!f.client_id.empty()) text += fmt::format(" \"{}\"", printable(f.client_id));
  if (!f.server.empty()) text += fmt::format(" → {}", printable(f.server));
  return text;
}

std::string heading(const cli::Painter& paint, const RuleInfo& rule, std::uint64_t times) {
  return fmt::format("{:<7}  {}{}\n", paint(style_of(rule.severity), name_of(rule.severity)), paint(Style::bold, rule.id),
                     times > 1 ? paint(Style::dim, fmt::format("  ×{}", human_count(times))) : "");
}

}  // namespace

std::vector<std::string> unsaid(const Found& found) {
  std::vector<std::string> all;
  if (found.left_out > 0)
    all.push_back(fmt::format("{} more different findings were left out: that many are no findings any more. --select narrows it down.",
                              human_count(found.left_out)));
  for (const LintLimit& l : found.limits)
    all.push_back(fmt::format("{} table of {} was full ({}): {} {} there was no place, and that was not looked at.",
                              l.rule.empty() ? "Several rules: their" : fmt::format("{}: its", l.rule), l.what,
                              human_count(l.limit), human_count(l.left_out), l.left_out == 1 ? "time" : "times"));
  return all;
}

void print_findings(cli::Output& out, const cli::Painter& paint, const Found& found, bool all) {
  const auto of_baseline = found.known == 0 ? std::string() : fmt::format("; {} known, not shown", human_count(found.known));
  out.print("{}{}.\n", found.findings.empty() ? "Nothing found" : counts(found), of_baseline);
  for (const Severity severity : worst_first) {
    std::vector<std::pair<const RuleInfo*, std::vector<const Finding*>>> rules;
    for (const Finding& f : found.findings) {
      if (f.rule->severity != severity) continue;
      auto at = std::find_if(rules.begin(), rules.end(), [&](const auto& r) { return r.first == f.rule; });
      if (at == rules.end()) at = rules.insert(rules.end(), {f.rule, {}});
      at->second.push_back(&f);
    }
    for (const auto& [rule, findings] : rules) {
      std::uint64_t times = 0;
      for (const Finding* f : findings) times += f->count;
      out.write("\n");
      out.write(heading(paint, *rule, times));
      std::size_t shown = 0;
      for (const Finding* f : findings) {
        if (!all && shown == shown_of_a_rule) break;
        ++shown;
        out.write(wrapped(printable(f->message), 9));
        out.print("           {}\n", paint(Style::dim, where(*f, found)));
      }
      if (shown < findings.size()) {
        const std::size_t more = findings.size() - shown;
        out.print("         {} more {} it (--all shows them)\n", human_count(more), more == 1 ? "finding has" : "findings have");
      }
      if (rule->fix != "Nothing.") out.write(wrapped(printable(rule->fix), 9, fmt::format("      {}  ", paint(Style::green, "▸"))));
      if (!out.wanted()) return;
    }
  }
  const std::vector<std::string> more = unsaid(found);
  if (!more.empty()) out.write("\n");
  for (const std::string& what : more) out.print("{}\n", what);
}

void print_top(cli::Output& out, const cli::Painter& paint, const Found& found) {
  std::vector<const Finding*> top;
  for (const Finding& f : found.findings)
    if (f.rule->severity >= Severity::warning) top.push_back(&f);
  if (top.empty()) return;
  out.print("\n{}\n", paint(Style::bold, "Findings"));
  for (std::size_t i = 0; i < std::min(top.size(), shown_at_the_top); ++i) {
    const Finding& f = *top[i];
    const std::string lead = fmt::format("  {}{} ", paint(style_of(f.rule->severity), f.rule->id),
                                         f.count > 1 ? fmt::format(" ×{}", human_count(f.count)) : "");
    out.write(wrapped(printable(f.message), 4, lead));
    out.print("      {}\n", paint(Style::dim, where(f, found)));
  }
  if (top.size() > shown_at_the_top)
    out.print("  {} more: kparse lint\n", human_count(top.size() - shown_at_the_top));
}

}  // namespace kparse::findings
