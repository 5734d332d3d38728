// SPDX-License-Identifier: MIT
#include "parse_lists.h"

#include <algorithm>

#include "text.h"

namespace kschema {
namespace {

void error_row(const Line& line, Schema& schema, Diagnostics& diagnostics) {
  const auto& w = line.words;
  const auto code = w.size() >= 4 ? number(w[0]) : std::nullopt;
  if (!code || (w[2] != "retriable" && w[2] != "final") || (w.size() > 4 && w[4] != "was"))
    return diagnostics.say(line.place, "CODE NAME retriable|final FIRST-RELEASE [was NAME...]");
  ErrorCode e{line.place, static_cast<int>(*code), w[1], w[2] == "retriable", w[3], {}};
  if (w.size() > 4) e.was.assign(w.begin() + 5, w.end());
  schema.errors.push_back(std::move(e));
}

void value_row(const Line& line, Schema& schema, Diagnostics& diagnostics) {
  if (line.words[0] == "in") {
    auto& uses = schema.enums.back().uses;
    uses.insert(uses.end(), line.words.begin() + 1, line.words.end());
    return;
  }
  const auto v = number(line.words[0]);
  if (!v || line.words.size() < 2) return diagnostics.say(line.place, "VALUE NAME, or in MESSAGE.FIELD...");
  std::string name = line.words[1];
  for (std::size_t i = 2; i < line.words.size(); ++i) name += " " + line.words[i];
  schema.enums.back().values.push_back({static_cast<int>(*v), name});
}

/// `1 Fetch  0.8.0:0  0.9.0.1:0-1  4.0.1:4-17`: from that release on, these versions; `+u6` adds an unstable version.
void support_row(const Line& line, Schema& schema, Diagnostics& diagnostics) {
  const auto& w = line.words;
  const auto key = number(w[0]);
  if (!key || w.size() < 3) return diagnostics.say(line.place, "KEY NAME RELEASE:VERSIONS...");
  Support s{line.place, static_cast<int>(*key), w[1], {}};
  const auto& names = schema.releases.names;
  for (std::size_t i = 2; i < w.size(); ++i) {
    const auto colon = w[i].find(':');
    const auto at = std::find(names.begin(), names.end(), w[i].substr(0, colon));
    if (colon == w[i].npos || at == names.end()) {
      diagnostics.say(line.place, "'" + w[i] + "' names no release");
      continue;
    }
    std::string versions = w[i].substr(colon + 1);
    Change c;
    c.release = static_cast<int>(at - names.begin());
    if (const auto u = versions.find("+u"); u != versions.npos) {
      const auto unstable = range(versions.substr(u + 2), 0);
      if (!unstable)
        diagnostics.say(line.place, "'" + w[i] + "': bad unstable version");
      else
        c.unstable = *unstable;
      versions = versions.substr(0, u);
    }
    const auto stable = versions.empty() ? Range{} : range(versions, -1);
    if (!stable || (!versions.empty() && versions.back() == '+'))
      diagnostics.say(line.place, "'" + w[i] + "': bad versions");
    else
      c.stable = *stable;
    if (!s.changes.empty() && s.changes.back().release >= c.release)
      diagnostics.say(line.place, "'" + w[i] + "': releases out of order");
    s.changes.push_back(c);
  }
  schema.releases.apis.push_back(std::move(s));
}

}  // namespace

List start_list(const Line& line, Schema& schema, Diagnostics& diagnostics) {
  const auto& w = line.words;
  if (w[0] == "errors" && w.size() == 1) return List::errors;
  if (w[0] == "supported" && w.size() == 1) return List::apis;
  if (w[0] == "enum" && w.size() == 2) {
    schema.enums.push_back({line.place, w[1], {}, {}});
    return List::values;
  }
  if (w[0] == "releases" && w.size() == 3 && w[1] == "current") {
    if (!schema.releases.names.empty()) diagnostics.say(line.place, "a second list of releases");
    schema.releases.current = w[2];
    return List::releases;
  }
  return List::none;
}

void list_row(List list, const Line& line, Schema& schema, Diagnostics& diagnostics) {
  switch (list) {
    case List::errors:
      return error_row(line, schema, diagnostics);
    case List::values:
      return value_row(line, schema, diagnostics);
    case List::apis:
      return support_row(line, schema, diagnostics);
    case List::releases:
      schema.releases.names.insert(schema.releases.names.end(), line.words.begin(), line.words.end());
      return;
    case List::none:
      return;
  }
}

}  // namespace kschema
