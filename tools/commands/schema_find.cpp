// SPDX-License-Identifier: MIT
#include "commands/schema_find.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

#include "commands/arguments.h"

namespace kparse::cli {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

}  // namespace

Found find_in_schema(std::string_view name) {
  Found found;
  int key = 0;
  if (const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), key);
      error == std::errc{} && end == name.data() + name.size()) {
    found.api = find_api(key);
    return found;
  }
  const std::string wanted = lower(name);
  std::vector<std::string> names;
  const auto fits = [&](std::string_view candidate) {
    names.push_back(lower(candidate));
    return names.back() == wanted;
  };
  for (const Api& api : apis()) {
    if (!fits(api.name) && (api.former_name.empty() || !fits(api.former_name))) continue;
    found.api = &api;
    return found;
  }
  for (const Message& m : messages()) {
    if (!fits(m.name)) continue;
    found.message = &m;
    return found;
  }
  const std::string near = nearest(wanted, names);
  for (const Api& api : apis()) {
    if (lower(api.name) == near)
      found.nearest = api.name;
    else if (lower(api.former_name) == near && !near.empty())
      found.nearest = api.former_name;
  }
  for (const Message& m : messages())
    if (lower(m.name) == near) found.nearest = m.name;
  return found;
}

}  // namespace kparse::cli
