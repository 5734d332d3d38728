// SPDX-License-Identifier: MIT
// Small files that are read whole: settings, lists, registers.
#pragma once

#include <cstdint>
#include <string>

namespace kparse::cli {

/// All of a file, into `to`. Returns "", or why not. What doesn't end (a device) is given up after `most` bytes.
[[nodiscard]] std::string read_whole(const std::string& path, std::string& to, std::uint64_t most = 64u << 20);

}  // namespace kparse::cli
