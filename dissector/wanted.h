// SPDX-License-Identifier: GPL-2.0-or-later
// Which fields of a message somebody looks at: what nobody wants isn't walked.
#pragma once

#include <cstdint>

#include "kparse/schema.h"

namespace kparse::dissector {

struct Want {
  static constexpr std::uint8_t item = 1;      ///< kparse.MESSAGE.PATH
  static constexpr std::uint8_t old_name = 2;  ///< kafka.NAME
  static constexpr std::uint8_t meaning = 4;   ///< kparse.topic, kparse.time and the like, expert items
  static constexpr std::uint8_t content = 8;   ///< what is inside bytes and records
  static constexpr std::uint8_t below = 16;    ///< something of a field below this one
};

/// By row of the schema, right for those below `root`. Valid until the next call with the same root. `all`: for a
/// visible tree. Costs some ten nanoseconds a row.
[[nodiscard]] const std::uint8_t* wanted_fields(NodeId root, bool all);

/// Any of it.
[[nodiscard]] bool wanted_below(const Message&);

/// The field holds milliseconds since 1970.
[[nodiscard]] bool is_time(const Field&) noexcept;

/// The message has fields whose values may be secrets.
[[nodiscard]] bool may_hold_secrets(NodeId root) noexcept;

}  // namespace kparse::dissector
