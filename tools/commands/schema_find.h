// SPDX-License-Identifier: MIT
// What a person means by the name of an API or a message.
#pragma once

#include <string>
#include <string_view>

#include "kparse/schema.h"

namespace kparse::cli {

/// One of `api` and `message` is set, or none and `nearest` may have the name that was most likely meant.
struct Found {
  const Api* api = nullptr;
  const Message* message = nullptr;
  std::string nearest;
};

/// "Fetch", "fetch", "1" and former names ("AlterIsr") are APIs; "FetchRequest", "offsetcommitkey" are messages.
[[nodiscard]] Found find_in_schema(std::string_view name);

}  // namespace kparse::cli
