// SPDX-License-Identifier: MIT
// The forms in which snappy payloads come. Source: snappy-java's SnappyOutputStream and SnappyCodec.
#pragma once

#include <cstdint>
#include <cstring>

#include "kparse/bytes.h"

namespace kparse::lint {

enum class SnappyForm : std::uint8_t { raw, xerial, swapped /*xerial with little-endian version fields*/ };

[[nodiscard]] inline SnappyForm snappy_form(Bytes in) noexcept {
  constexpr std::uint8_t magic[] = {0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0};
  if (in.size() < 16 || std::memcmp(in.data(), magic, sizeof magic) != 0) return SnappyForm::raw;
  const auto swapped = [&in](std::size_t at) {
    const auto v = load_be<std::uint32_t>(in.data() + at);
    return v != 0 && (v & 0x00ffffff) == 0;
  };
  return swapped(8) || swapped(12) ? SnappyForm::swapped : SnappyForm::xerial;
}

/// Of the xerial framing: its blocks.
[[nodiscard]] inline std::int32_t snappy_blocks(Bytes in) noexcept {
  std::int32_t n = 0;
  for (std::size_t at = 16; in.size() - at >= 4;) {
    const auto size = load_be<std::int32_t>(in.data() + at);
    if (size <= 0 || static_cast<std::size_t>(size) > in.size() - at - 4) break;
    at += 4 + static_cast<std::size_t>(size);
    ++n;
  }
  return n;
}

}  // namespace kparse::lint
