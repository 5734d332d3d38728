// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "lint/catalogue.h"
#include "lint/wrap.h"

namespace kparse::findings {
namespace {

/// What Markdown would take for its own.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<' || c == '*' || c == '_' || c == '`' || c == '|' || c == '\\' || c == '[') out += '\\';
    out += c;
  }
  return out;
}

std::string anchor(std::string_view id) {
  std::string out;
  for (const unsigned char c : id) out += static_cast<char>(std::tolower(c));
  return out;
}

}  // namespace

std::string rules_page(Rules rules) {
  constexpr Severity worst_first[] = {Severity::error, Severity::warning, Severity::notice, Severity::info};
  std::string page =
      "<!-- Written by: kparse rules --format markdown -->\n"
      "# The rules of kparse lint\n\n"
      "Each says one thing that is wrong or worth knowing in a capture. `kparse rules RULE` shows the same for one rule,\n"
      "`kparse lint --set RULE.option=value` sets a threshold, `--ignore RULE` turns a rule off.\n\n"
      "- **error**: data is corrupt, a request is refused, or a connection dies.\n"
      "- **warning**: likely a fault, or a large cost.\n"
      "- **notice**: worth knowing.\n"
      "- **info**: a fact, never counted as a problem.\n\n";
  for (const Severity severity : worst_first) {
    std::string list;
    for (const RuleInfo* r : rules)
      if (r->severity == severity) list += fmt::format("{}[{}](#{})", list.empty() ? "" : ", ", r->id.substr(3), anchor(r->id));
    if (!list.empty()) page += wrapped(list, 0, fmt::format("**{}** ", name_of(severity)), 120) + "\n";
  }
  for (const RuleInfo* r : rules) {
    page += fmt::format("## {}\n\n**{}**, of a {}{}. ", r->id, name_of(r->severity), name_of(r->scope),
                        r->healthy ? "; traffic with nothing wrong may have it" : "");
    page += wrapped(escaped(r->condition), 0, " ", 120).substr(1);
    page += fmt::format("\n> {}\n\n", escaped(r->example));
    page += wrapped(escaped(r->why), 0, "**Why:** ", 120) + "\n";
    page += wrapped(escaped(r->fix), 0, "**To do:** ", 120);
    if (!r->options.empty()) {
      page += "\n| option | default | |\n|---|---|---|\n";
      for (const RuleOption& o : r->options)
        page += fmt::format("| `{}.{}` | {} | {} |\n", r->id, o.name, value_text(o), escaped(o.meaning));
    }
    if (!r->instead.empty()) {
      std::string ids;
      for (const std::string_view id : r->instead) ids += fmt::format("{}[{}](#{})", ids.empty() ? "" : ", ", id, anchor(id));
      page += "\n" + wrapped(fmt::format("Silent where the same is said more exactly: {}.", ids), 0, {}, 120);
    }
    page += "\n" + wrapped(escaped(r->sources), 0, "Sources: ", 120) + "\n";
  }
  page.pop_back();
  return page;
}

}  // namespace kparse::findings
