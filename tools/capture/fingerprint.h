// SPDX-License-Identifier: MIT
// Cheap hashes that tell whether a packet came before.
#pragma once

#include <cstdint>
#include <cstring>

#include "capture/segment.h"
#include "kparse/bytes.h"

namespace kparse::capture {

constexpr std::uint64_t mix(std::uint64_t h, std::uint64_t word) noexcept {
  h = (h ^ word) * 0x9e3779b97f4a7c15;
  return h ^ h >> 32;
}

/// All of a short payload; of a long one its ends and samples between, so that the cost stays the same.
inline std::uint64_t content_print(Bytes b) noexcept {
  std::uint64_t h = b.size();
  const auto word = [&](std::size_t at) {
    std::uint64_t w;
    std::memcpy(&w, b.data() + at, 8);
    h = mix(h, w);
  };
  if (b.size() < 8) {
    std::uint64_t w = 0;
    if (!b.empty()) std::memcpy(&w, b.data(), b.size());
    return mix(h, w);
  }
  const std::size_t last = b.size() - 8;
  const std::size_t step = b.size() <= 128 ? 8 : b.size() / 16;
  for (std::size_t at = 0; at < last; at += step) word(at);
  word(last);
  return h;
}

inline std::uint64_t packet_print(const Segment& s, std::uint64_t content) noexcept {
  std::uint64_t h = mix(content, std::uint64_t{s.seq} << 32 | s.acknowledged);
  h = mix(h, std::uint64_t{s.wire_payload} << 32 | std::uint64_t{s.window} << 16 | s.flags);
  h = mix(h, std::uint64_t{s.ip_id} << 32 | s.payload.size());
  std::size_t at = 0;
  for (; at + 8 <= s.options.size(); at += 8) {
    std::uint64_t w;
    std::memcpy(&w, s.options.data() + at, 8);
    h = mix(h, w);
  }
  if (at < s.options.size()) {
    std::uint64_t w = 0;
    std::memcpy(&w, s.options.data() + at, s.options.size() - at);
    h = mix(h, w);
  }
  return h | 1;  // 0 is an empty place
}

}  // namespace kparse::capture
