// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace kparse::cli {

/// Says on standard error what is wrong with the call of `command` ("" = of kparse itself), points to --help, and gives
/// status_usage.
int usage(const std::string& command, std::string_view message);

}  // namespace kparse::cli
