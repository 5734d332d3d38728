// SPDX-License-Identifier: MIT
// One short line on what a field means, in our own words.
#pragma once

#include <string_view>

#include "kparse/schema.h"

namespace kparse::cli {

/// "" when there is nothing to say beyond the name.
[[nodiscard]] std::string_view about(const Field&) noexcept;

}  // namespace kparse::cli
