// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kparse::cli {

/// `auto|always|never` of --color and --progress.
enum class When : std::uint8_t { automatic, always, never };

}  // namespace kparse::cli
