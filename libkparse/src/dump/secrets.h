// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace kparse {

/// Config values with such names are redacted whatever the broker says of them.
[[nodiscard]] bool sensitive_config(std::string_view name) noexcept;

}  // namespace kparse
