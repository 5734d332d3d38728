// SPDX-License-Identifier: MIT
// The variable-length integers that the KIP-82 draft links. Source: the MessagePack specification (int family),
// Hadoop's org.apache.hadoop.io.file.tfile.Utils (writeVLong, readVLong).
#include <limits>

#include "kparse/draft_headers.h"

namespace kparse {

namespace {

/// `n` bytes, big-endian, the first one's sign bit counting.
std::int64_t load_signed(const std::uint8_t* at, int n) noexcept {
  std::uint64_t v = at[0] & 0x80 ? ~std::uint64_t{0} : 0;
  for (int i = 0; i < n; ++i) v = v << 8 | at[i];
  return static_cast<std::int64_t>(v);
}

std::uint64_t load_unsigned(const std::uint8_t* at, int n) noexcept {
  std::uint64_t v = 0;
  for (int i = 0; i < n; ++i) v = v << 8 | at[i];
  return v;
}

bool is_int32(std::int64_t v) noexcept {
  return v >= std::numeric_limits<std::int32_t>::min() && v <= std::numeric_limits<std::int32_t>::max();
}

}  // namespace

const std::uint8_t* read_messagepack_int(const std::uint8_t* at, const std::uint8_t* end, std::int32_t& out) noexcept {
  if (at == end) return nullptr;
  const std::uint8_t first = *at++;
  if (first < 0x80 || first >= 0xe0) {
    out = static_cast<std::int8_t>(first);
    return at;
  }
  const bool is_unsigned = first >= 0xcc && first <= 0xcf;
  if (!is_unsigned && !(first >= 0xd0 && first <= 0xd3)) return nullptr;
  const int bytes = 1 << (first & 3);
  if (end - at < bytes) return nullptr;
  std::int64_t v = 0;
  if (is_unsigned) {
    const std::uint64_t u = load_unsigned(at, bytes);
    if (u > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())) return nullptr;
    v = static_cast<std::int64_t>(u);
  } else {
    v = load_signed(at, bytes);
  }
  if (!is_int32(v)) return nullptr;
  out = static_cast<std::int32_t>(v);
  return at + bytes;
}

void write_messagepack_int(std::int32_t v, Writer& out) noexcept {
  if (v >= -32 && v < 128) {
    out.be(static_cast<std::int8_t>(v));
  } else if (v >= 0 && v < 0x100) {
    out.be(std::uint8_t{0xcc});
    out.be(static_cast<std::uint8_t>(v));
  } else if (v >= 0 && v < 0x10000) {
    out.be(std::uint8_t{0xcd});
    out.be(static_cast<std::uint16_t>(v));
  } else if (v >= 0) {
    out.be(std::uint8_t{0xce});
    out.be(static_cast<std::uint32_t>(v));
  } else if (v >= -0x80) {
    out.be(std::uint8_t{0xd0});
    out.be(static_cast<std::int8_t>(v));
  } else if (v >= -0x8000) {
    out.be(std::uint8_t{0xd1});
    out.be(static_cast<std::int16_t>(v));
  } else {
    out.be(std::uint8_t{0xd2});
    out.be(v);
  }
}

const std::uint8_t* read_tfile_int(const std::uint8_t* at, const std::uint8_t* end, std::int32_t& out) noexcept {
  if (at == end) return nullptr;
  const int first = static_cast<std::int8_t>(*at++);
  if (first >= -32) {
    out = first;
    return at;
  }
  // One to three bytes carry the low part of a number whose top is in the first byte.
  static constexpr struct { int from, plus, bytes; } forms[] = {{-72, 52, 1}, {-104, 88, 2}, {-120, 112, 3}};
  for (const auto& form : forms) {
    if (first < form.from) continue;
    if (end - at < form.bytes) return nullptr;
    const auto top = static_cast<std::uint32_t>(first + form.plus) << (8 * form.bytes);
    out = static_cast<std::int32_t>(top | static_cast<std::uint32_t>(load_unsigned(at, form.bytes)));
    return at + form.bytes;
  }
  const int bytes = first + 129;
  if (bytes < 4 || end - at < bytes) return nullptr;  // Hadoop: "Corrupted VLong encoding"
  const std::int64_t v = load_signed(at, bytes);
  if (!is_int32(v)) return nullptr;
  out = static_cast<std::int32_t>(v);
  return at + bytes;
}

void write_tfile_int(std::int32_t v, Writer& out) noexcept {
  if (v >= -32 && v < 128) {
    out.be(static_cast<std::int8_t>(v));
  } else if (v >= -(20 << 8) && v < 20 << 8) {
    out.be(static_cast<std::int8_t>((v >> 8) - 52));
    out.be(static_cast<std::uint8_t>(v));
  } else if (v >= -(16 << 16) && v < 16 << 16) {
    out.be(static_cast<std::int8_t>((v >> 16) - 88));
    out.be(static_cast<std::uint16_t>(v));
  } else if (v >= -(8 << 24) && v < 8 << 24) {
    out.be(static_cast<std::int8_t>((v >> 24) - 112));
    out.be(static_cast<std::uint8_t>(v >> 16));
    out.be(static_cast<std::uint16_t>(v));
  } else {
    out.be(static_cast<std::int8_t>(-125));
    out.be(v);
  }
}

}  // namespace kparse
