// SPDX-License-Identifier: MIT
// What the frames of a zstd payload say of themselves, without opening them. Source: RFC 8878.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kparse/bytes.h"

namespace kparse::lint {

struct ZstdFrames {
  std::int32_t frames = 0, skippable = 0;
  bool without_size = false;  ///< one that doesn't tell the size of its content
  std::uint64_t window = 0;   ///< bytes, the largest
};

/// Stops where no frame begins. Cost: a few loads a block of up to 128 KiB.
[[nodiscard]] inline ZstdFrames zstd_frames(Bytes in) noexcept {
  ZstdFrames z;
  const auto le = [&in](std::size_t at, std::size_t size) {
    std::uint64_t v = 0;
    for (std::size_t i = 0; i < size; ++i) v |= std::uint64_t{in[at + i]} << (8 * i);
    return v;
  };
  for (std::size_t at = 0; in.size() - at >= 6;) {
    const auto magic = static_cast<std::uint32_t>(le(at, 4));
    if ((magic & 0xfffffff0u) == 0x184d2a50u) {
      if (in.size() - at < 8) return z;
      const std::uint64_t size = le(at + 4, 4);
      if (size > in.size() - at - 8) return z;
      ++z.skippable;
      at += 8 + static_cast<std::size_t>(size);
      continue;
    }
    if (magic != 0xfd2fb528u) return z;
    const std::uint8_t d = in[at + 4];
    const bool single = d & 0x20, checksum = d & 0x04;
    constexpr std::uint8_t dictionary_sizes[] = {0, 1, 2, 4};
    constexpr std::uint8_t content_sizes[] = {0, 2, 4, 8};
    const std::size_t content = (d >> 6) == 0 && single ? 1 : content_sizes[d >> 6];
    const std::size_t header = 5 + (single ? 0u : 1u) + dictionary_sizes[d & 3] + content;
    if (in.size() - at < header) return z;
    ++z.frames;
    z.without_size = z.without_size || content == 0;
    std::uint64_t window = 0;
    if (single) {
      window = le(at + header - content, content) + (content == 2 ? 256 : 0);
    } else {
      const std::uint64_t base = std::uint64_t{1} << (10 + (in[at + 5] >> 3));
      window = base + base / 8 * (in[at + 5] & 7);
    }
    z.window = std::max(z.window, window);
    at += header;
    for (bool last = false; !last;) {
      if (in.size() - at < 3) return z;
      const auto block = static_cast<std::uint32_t>(le(at, 3));
      last = block & 1;
      const std::size_t size = (block >> 1 & 3) == 1 ? 1 : block >> 3;
      if (size > in.size() - at - 3) return z;
      at += 3 + size;
    }
    if (checksum) {
      if (in.size() - at < 4) return z;
      at += 4;
    }
  }
  return z;
}

}  // namespace kparse::lint
