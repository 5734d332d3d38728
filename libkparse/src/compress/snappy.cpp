// SPDX-License-Identifier: MIT
// Raw snappy, and the framing that snappy-java puts around it (SnappyOutputStream).
#include <snappy.h>

#include <cstring>

#include "compress/codecs.h"

namespace kparse {

namespace {

// No raw block begins like this: it would copy from before its first byte.
constexpr std::uint8_t magic[8] = {0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0};
constexpr std::size_t header_size = 16;  // magic, version, compatible version

bool is_header(Bytes in) noexcept {
  return in.size() >= header_size && std::memcmp(in.data(), magic, sizeof magic) == 0;
}

Error read_block(Bytes block, std::uint64_t offset, Output& out) noexcept {
  const auto* data = reinterpret_cast<const char*>(block.data());
  std::size_t claim = 0;
  if (!snappy::GetUncompressedLength(data, block.size(), &claim)) return corrupt(offset);
  // The densest element is a copy of 64 bytes in 3: a larger claim is a lie.
  if (claim > 64 * ((block.size() + 2) / 3)) return corrupt(offset);
  if (!out.allows(claim)) return out.past(offset);
  if (!out.ensure(claim + 1)) return no_memory();
  if (!snappy::RawUncompress(data, block.size(), reinterpret_cast<char*>(out.buffer().tail()))) return corrupt(offset);
  out.buffer().added(claim);
  return {};
}

Error read_framed(Bytes in, Output& out) noexcept {
  std::size_t at = header_size;
  while (in.size() - at >= 4) {  // one to three bytes at the end are ignored, as in snappy-java
    if (is_header(in.subspan(at))) {
      at += header_size;
      continue;
    }
    const auto length = load_be<std::int32_t>(in.data() + at);
    const std::size_t left = in.size() - at - 4;
    if (length <= 0) return corrupt(at);
    const auto size = static_cast<std::size_t>(length);
    if (size > left) return truncated(at + 4, size, left);
    if (const Error e = read_block(in.subspan(at + 4, size), at + 4, out)) return e;
    at += 4 + size;
  }
  return {};
}

}  // namespace

Error read_snappy(Bytes in, Output& out, Decompressed& about) noexcept {
  if (!is_header(in)) return read_block(in, 0, out);
  about.xerial = true;
  about.xerial_version = load_be<std::int32_t>(in.data() + 8);
  about.xerial_compatible = load_be<std::int32_t>(in.data() + 12);
  return read_framed(in, out);
}

}  // namespace kparse
