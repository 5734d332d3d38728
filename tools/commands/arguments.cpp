// SPDX-License-Identifier: MIT
#include "commands/arguments.h"

#include <algorithm>

#include <fmt/format.h>
#include <CLI/App.hpp>

namespace kparse::cli {
namespace {

/// Levenshtein's distance. Quadratic in short words only: the caller bounds them.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j - 1] + 1, above + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

bool takes_value(const CLI::App& app, const std::string& name) {
  const CLI::Option* option = app.get_option_no_throw("--" + name);
  return option != nullptr && option->get_items_expected_min() > 0;
}

}  // namespace

std::string nearest(std::string_view typed, const std::vector<std::string>& names) {
  if (typed.empty() || typed.size() > 40) return "";
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, typed.size() / 3) + 1;
  for (const auto& name : names) {
    const std::size_t d = distance(typed, name);
    if (d < best_distance) {
      best = name;
      best_distance = d;
    }
  }
  return best;
}

std::string expand_options(const CLI::App& app, std::vector<std::string>& args) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const auto& name : option->get_lnames()) names.push_back(name);
  for (std::size_t i = 0; i < args.size(); ++i) {
    std::string& arg = args[i];
    if (arg == "--") break;
    if (arg.size() < 2 || arg[0] != '-') continue;
    if (arg[1] != '-') {
      const std::string name(1, arg[1]);
      const auto options = app.get_options();
      const auto known =
          std::find_if(options.begin(), options.end(), [&](const CLI::Option* o) { return o->check_sname(name); });
      if (known == options.end()) return fmt::format("there is no option '-{}'", name);
      if ((*known)->get_items_expected_min() > 0 && arg.size() == 2) ++i;
      continue;
    }
    const auto equals = arg.find('=');
    std::string name = arg.substr(2, equals == std::string::npos ? equals : equals - 2);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      std::vector<std::string> meant;
      for (const auto& full : names)
        if (full.starts_with(name)) meant.push_back(full);
      std::sort(meant.begin(), meant.end());
      if (meant.size() > 1) return fmt::format("'--{}' could be --{}", name, fmt::join(meant, " or --"));
      if (meant.empty()) {
        const std::string near = nearest(name, names);
        return fmt::format("there is no option '--{}'{}", name,
                           near.empty() ? "" : fmt::format("; did you mean --{}?", near));
      }
      arg.replace(2, name.size(), meant[0]);
      name = meant[0];
    }
    if (equals == std::string::npos && takes_value(app, name)) ++i;
  }
  return "";
}

}  // namespace kparse::cli
