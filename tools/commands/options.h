// SPDX-License-Identifier: MIT
// The common options on the command line (COMMAND: "Common options").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/options.h"

namespace CLI {
class App;
}

namespace kparse::cli {

/// Groups of common options that a command takes. An option outside of them is unknown to it: nothing is ignored.
enum class Takes : std::uint8_t {
  nothing = 0,
  captures = 1,   ///< captures, filters, --port, --threads, --names, --progress
  bytes = 2,      ///< --bytes
  secrets = 4,    ///< --secrets
  records = 8,    ///< --records
  separate = 16,  ///< --separate
  limits = 32,    ///< --max-batch, --max-ratio
  register_file = 64,  ///< --header-register
  drafts = 128,        ///< --draft-headers
  headers = register_file | drafts,
  values = bytes | limits,
};
constexpr Takes operator|(Takes a, Takes b) noexcept {
  return static_cast<Takes>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool operator&(Takes a, Takes b) noexcept {
  return (static_cast<unsigned>(a) & static_cast<unsigned>(b)) != 0;
}

/// Declares the options. `formats`: what --format may be, the first is the default. Every command with formats has
/// --format, all have --output, --color, --quiet and -v. `app` keeps references to `options`.
void add_common_options(CLI::App& app, CommonOptions& options, Takes takes, const std::vector<Format>& formats);

[[nodiscard]] std::string_view name_of(Format) noexcept;

}  // namespace kparse::cli
