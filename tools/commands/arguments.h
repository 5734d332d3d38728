// SPDX-License-Identifier: MIT
// GNU habits that CLI11 doesn't have: long options may be shortened, and a mistyped one is answered with the nearest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace kparse::cli {

/// The name in `names` that `typed` most likely meant; "" when none is near.
[[nodiscard]] std::string nearest(std::string_view typed, const std::vector<std::string>& names);

/// Writes shortened long options in `args` (those of a command, without program and command name) in full.
/// Returns "" or what is wrong with an option.
[[nodiscard]] std::string expand_options(const CLI::App& app, std::vector<std::string>& args);

}  // namespace kparse::cli
