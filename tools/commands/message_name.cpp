// SPDX-License-Identifier: MIT
#include "commands/message_name.h"

#include <fmt/format.h>

#include "commands/arguments.h"

namespace kparse::cli {

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names) {
  const std::string near = nearest(typed, names);
  return near.empty() ? "" : fmt::format("; did you mean {}?", near);
}

std::string resolve_message(std::string_view name, int version, const Message*& to) {
  if (name.empty()) return "no message was named";
  const Message* m = find_message(name);
  if (!m) {
    std::vector<std::string> names;
    for (const Message& one : messages()) names.emplace_back(one.name);
    return fmt::format("there is no message '{}'{}", name, did_you_mean(name, names));
  }
  if (m->versions.empty()) return fmt::format("{} has no version", m->name);
  if (!m->versions.has(version))
    return fmt::format("{} has no version {}, only {} to {}", m->name, version, m->versions.lo, m->versions.hi);
  to = m;
  return "";
}

std::string resolve_header(const Message& m, int version, HeaderOf& to) {
  to.api = find_api(m.api_key);
  to.request = m.kind == Kind::request;
  if (!to.api || (!to.request && m.kind != Kind::response))
    return fmt::format("{} has no header: it is no request or response", m.name);
  to.version = to.request ? request_header_version(*to.api, version) : response_header_version(*to.api, version);
  return "";
}

}  // namespace kparse::cli
