// SPDX-License-Identifier: MIT
// The messages inside a compressed message of magic 0 or 1, as they are written.
#pragma once

#include <cstdint>

#include "kparse/bytes.h"

namespace kparse::lint {

struct InnerMessage {
  std::int64_t offset = 0;
  std::uint8_t magic = 0;
  Bytes body;  ///< from its CRC on
};

/// f(InnerMessage) for each whole one.
template <class F>
void each_inner(Bytes opened, F&& f) {
  constexpr std::size_t overhead = 12, smallest = 14;
  while (opened.size() >= overhead + smallest) {
    const auto size = load_be<std::int32_t>(opened.data() + 8);
    if (size < static_cast<std::int32_t>(smallest) || static_cast<std::size_t>(size) > opened.size() - overhead) return;
    const Bytes body = opened.subspan(overhead, static_cast<std::size_t>(size));
    f(InnerMessage{load_be<std::int64_t>(opened.data()), body[4], body});
    opened = opened.subspan(overhead + static_cast<std::size_t>(size));
  }
}

}  // namespace kparse::lint
