// SPDX-License-Identifier: MIT
// Which Kafka release supports which versions of which API. Source: libkparse/schema/releases.k.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "kparse/schema.h"

namespace kparse {

/// What one release does with one API. Both empty: it doesn't have the API.
struct Support {
  Versions stable;    ///< advertised
  Versions unstable;  ///< in the code, advertised only with unstable.api.versions.enable
};

/// "0.8.0", "0.8.1.1", ... "4.4", "trunk": one patch level per release line, oldest first.
[[nodiscard]] std::span<const std::string_view> releases() noexcept;
/// The release that "current" means everywhere (Api::current): an index into releases().
[[nodiscard]] std::size_t current_release() noexcept;
/// "3.9.1", "3.9" and "v3.9.2-rc0" all find the line 3.9; nullopt: no such line here.
[[nodiscard]] std::optional<std::size_t> find_release(std::string_view) noexcept;
/// `release`: an index into releases(). O(1).
[[nodiscard]] Support support(const Api&, std::size_t release) noexcept;

}  // namespace kparse
