// SPDX-License-Identifier: MIT
// A result that would take the place of what it is made from.
#pragma once

#include <string>
#include <vector>

#include "output/diagnostics.h"

namespace kparse::cli {

/// Is `to` one of these files, by whatever name? Then it says so. Names that are no files ("", "-") never are.
[[nodiscard]] bool is_own_input(const std::string& to, const std::vector<std::string>& inputs, Diagnostics&);

}  // namespace kparse::cli
