// SPDX-License-Identifier: MIT
#include "capture/pcapng_interface.h"

#include <algorithm>
#include <limits>

namespace kparse::capture {

const char* Interface::read(ByteOrder order, Bytes b) noexcept {
  link_type = order.u16(b.data());
  snaplen = order.u32(b.data() + 4);
  b = b.subspan(8);
  while (b.size() >= 4) {
    const std::uint16_t code = order.u16(b.data()), length = order.u16(b.data() + 2);
    if (code == 0) break;
    if (length > b.size() - 4) return "an option that is longer than its block";
    const std::uint8_t* v = b.data() + 4;
    if (code == 9 && length >= 1) resolution = v[0];
    if (code == 14 && length >= 8) {
      const std::uint64_t first = order.u32(v), second = order.u32(v + 4);
      offset_s = static_cast<std::int64_t>(order.big ? first << 32 | second : second << 32 | first);
    }
    b = b.subspan(std::min<std::size_t>(b.size(), 4 + (std::size_t{length} + 3) / 4 * 4));
  }
  const std::uint8_t power = resolution & 0x7f;
  if (power > ((resolution & 0x80) != 0 ? 63 : 19)) return "a time resolution that can't be";
  return nullptr;
}

std::int64_t Interface::time_ns(std::uint64_t ticks) const noexcept {
  using Wide = __int128;
  Wide ns;
  if (const unsigned power = resolution & 0x7f; (resolution & 0x80) != 0) {
    ns = (Wide{ticks} * 1'000'000'000) >> power;
  } else {
    std::uint64_t scale = 1;
    for (unsigned i = power; i < 9; ++i) scale *= 10;
    ns = Wide{ticks} * scale;
    for (unsigned i = 9; i < power; ++i) ns /= 10;
  }
  ns += Wide{offset_s} * 1'000'000'000;
  // 1823 to 2116: far enough for a clock, and the difference of two times still fits.
  constexpr Wide most = (Wide{1} << 62) - 1;
  return static_cast<std::int64_t>(std::clamp<Wide>(ns, -most, most));
}

}  // namespace kparse::capture
