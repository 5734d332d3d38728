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
  values = bytes | limits,
};
constexpr Takes operator|(Takes a, Takes b) noexcept {
  return static_cast<Takes>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool operator&(Takes a, Takes b) noexcept {
  return (static_cast<unsigned>(a) & static_cast<unsigned>(b)) != 0;
}

/// Declares the options. `formats`: what --format may be, the first is the default. Every command has --format,
/// --output, --color, --quiet and -v. `app` keeps references to `options`.
void add_common_options(CLI::App& app, CommonOptions& options, Takes takes, const std::vector<Format>& formats);

/// Options of the contract that this version cannot honour are refused, never ignored: why, or "" when the option
/// (without dashes) is not one of them.
[[nodiscard]] std::string_view why_unsupported(std::string_view option) noexcept;

[[nodiscard]] std::string_view name_of(Format) noexcept;

}  // namespace kparse::cli
