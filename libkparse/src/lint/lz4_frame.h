// SPDX-License-Identifier: MIT
// What an LZ4 frame says of itself. Source: LZ4 Frame Format 1.6.
#pragma once

#include <cstdint>

#include "compress/xxh32.h"
#include "kparse/bytes.h"

namespace kparse::lint {

struct Lz4Frame {
  bool is = false;  ///< the header is there; else nothing below is known
  bool independent = false, block_checksums = false, content_checksum = false;
  std::uint8_t header_checksum = 0;
  std::uint8_t right = 0;   ///< of the descriptor
  std::uint8_t legacy = 0;  ///< ... of the magic number, too: as Kafka computed it once (KIP-57)
  std::size_t size = 0;     ///< of the header

  [[nodiscard]] bool wrong_as_legacy() const noexcept {
    return is && header_checksum != right && header_checksum == legacy;
  }
};

[[nodiscard]] inline Lz4Frame lz4_frame(Bytes in) noexcept {
  Lz4Frame f;
  constexpr std::uint8_t magic[] = {0x04, 0x22, 0x4d, 0x18};
  if (in.size() < 7 || std::memcmp(in.data(), magic, sizeof magic) != 0) return f;
  const std::uint8_t flags = in[4];
  f.size = std::size_t{7} + (flags & 0x08 ? 8 : 0) + (flags & 0x01 ? 4 : 0);
  if (in.size() < f.size) return f;
  f.is = true;
  f.independent = flags & 0x20;
  f.block_checksums = flags & 0x10;
  f.content_checksum = flags & 0x04;
  f.header_checksum = in[f.size - 1];
  f.right = static_cast<std::uint8_t>(xxh32(in.subspan(4, f.size - 5)) >> 8);
  f.legacy = static_cast<std::uint8_t>(xxh32(in.first(f.size - 1)) >> 8);
  return f;
}

enum class Lz4Damage : std::uint8_t { none, block, content };

/// Which checksum differs from the data. `opened`: what the frame holds. Cost: one pass over both.
[[nodiscard]] inline Lz4Damage lz4_damage(Bytes in, const Lz4Frame& f, Bytes opened) noexcept {
  if (!f.is) return Lz4Damage::none;
  const auto le32 = [](const std::uint8_t* at) { return __builtin_bswap32(load_be<std::uint32_t>(at)); };
  for (std::size_t at = f.size; in.size() - at >= 4;) {
    const std::uint32_t size = le32(in.data() + at) & 0x7fffffff;
    at += 4;
    if (size == 0) {
      if (!f.content_checksum || in.size() - at < 4) return Lz4Damage::none;
      return xxh32(opened) == le32(in.data() + at) ? Lz4Damage::none : Lz4Damage::content;
    }
    const std::size_t whole = std::size_t{size} + (f.block_checksums ? 4 : 0);
    if (whole > in.size() - at) return Lz4Damage::none;
    if (f.block_checksums && xxh32(in.subspan(at, size)) != le32(in.data() + at + size)) return Lz4Damage::block;
    at += whole;
  }
  return Lz4Damage::none;
}

}  // namespace kparse::lint
