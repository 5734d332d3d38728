// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace kparse::cli {

/// The version of kparse, as the build system has it: "0.1.0".
[[nodiscard]] std::string_view version() noexcept;

/// `schemaVersion` of every JSON document: it changes when a member is renamed or left out.
inline constexpr int schema_version = 1;

}  // namespace kparse::cli
