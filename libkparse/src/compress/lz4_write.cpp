// SPDX-License-Identifier: MIT
#include <lz4frame.h>

#include "compress/codecs.h"
#include "compress/xxh32.h"

namespace kparse {
namespace {

constexpr std::size_t header_size = 7;  // magic, FLG, BD, checksum

}  // namespace

Error write_lz4(Bytes in, Writer& out, Lz4Header header) noexcept {
  LZ4F_preferences_t how{};
  how.frameInfo.blockSizeID = LZ4F_max64KB;
  how.frameInfo.blockMode = LZ4F_blockIndependent;
  const std::size_t before = out.size(), room = LZ4F_compressFrameBound(in.size(), &how);
  std::uint8_t* to = out.extend(room);
  if (!to) return no_memory();
  const std::size_t size = LZ4F_compressFrame(to, room, in.data(), in.size(), &how);
  if (LZ4F_isError(size)) return no_memory();
  // Magic 0 has the checksum of the magic number, too (KIP-57).
  if (header == Lz4Header::lenient)
    to[header_size - 1] = static_cast<std::uint8_t>(xxh32_short({to, header_size - 1}) >> 8);
  out.truncate(before + size);
  return {};
}

}  // namespace kparse
