// SPDX-License-Identifier: MIT
#include <zstd.h>

#include "compress/codecs.h"

namespace kparse {

Error write_zstd(Bytes in, Scratch::Impl& scratch, Writer& out) noexcept {
  if (!scratch.zstd_write) scratch.zstd_write.reset(ZSTD_createCCtx());
  ZSTD_CCtx* context = scratch.zstd_write.get();
  if (!context) return no_memory();
  ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters);
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);  // Java's streams don't know it
  const std::size_t before = out.size(), room = ZSTD_compressBound(in.size());
  std::uint8_t* to = ZSTD_isError(room) ? nullptr : out.extend(room);
  if (!to) return no_memory();
  const std::size_t size = ZSTD_compress2(context, to, room, in.data(), in.size());
  if (ZSTD_isError(size)) return no_memory();
  out.truncate(before + size);
  return {};
}

}  // namespace kparse
