// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "lint/connection.h"

namespace kparse::lint {

/// A conversation to speak of when it is gone: in on_finish, for what only the whole capture tells.
struct Witness {
  std::uint64_t conversation = 0;
  std::string client, server, client_id;
  Stamp at;
};
[[nodiscard]] Witness witness_of(const Conn&, const Stamp& at);

}  // namespace kparse::lint
