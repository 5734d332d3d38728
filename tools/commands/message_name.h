// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kparse/schema.h"

namespace kparse::cli {

/// "; did you mean X?" or "".
[[nodiscard]] std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names);

/// The message in `to`; "" or what is wrong with the name or the version.
[[nodiscard]] std::string resolve_message(std::string_view name, int version, const Message*& to);

/// Of a request or response: its API, and the version of the header that goes before it; else what is wrong.
struct HeaderOf {
  const Api* api = nullptr;
  bool request = false;
  int version = 0;
};
[[nodiscard]] std::string resolve_header(const Message&, int version, HeaderOf& to);

}  // namespace kparse::cli
