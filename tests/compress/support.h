// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kparse/compress.h"

namespace kparse::test {

using Blob = std::vector<std::uint8_t>;

inline Bytes view(std::string_view s) noexcept { return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()}; }
inline std::string str(const Decompressed& d) { return std::string(text(d.data)); }
inline void append(Blob& to, Bytes what) { to.insert(to.end(), what.begin(), what.end()); }

inline Blob from_hex(std::string_view hex) {
  Blob out;
  int digits = 0, value = 0;
  for (const char c : hex) {
    if (c == ' ') continue;
    value = value * 16 + (c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
    if (++digits % 2 == 0) out.push_back(static_cast<std::uint8_t>(std::exchange(value, 0)));
  }
  return out;
}

/// Text that packs neither well nor badly.
inline std::string sample(std::size_t size) {
  std::string out;
  std::uint32_t x = 12345;
  while (out.size() < size) {
    x = x * 1664525 + 1013904223;
    out += "order " + std::to_string(x >> 20) + "; ";
  }
  out.resize(size);
  return out;
}

[[nodiscard]] Blob gzip(std::string_view);
[[nodiscard]] Blob snappy_raw(std::string_view);
[[nodiscard]] Blob xerial(std::initializer_list<std::string_view> blocks);
struct Lz4Shape {
  bool linked = false, block_checksum = false, content_checksum = false, content_size = false;
  int block_code = 4;
};
[[nodiscard]] Blob lz4(std::string_view, Lz4Shape = {});
[[nodiscard]] Blob zstd(std::string_view, bool content_size = true, bool checksum = false);

/// A block of exactly that size, so that a sanitizer sees the first byte too many.
[[nodiscard]] Decompressed open_exactly(Codec, Bytes, Scratch&, const DecompressLimits& = {});

}  // namespace kparse::test
