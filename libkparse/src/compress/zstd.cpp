// SPDX-License-Identifier: MIT
// RFC 8878: any number of frames and skippable frames.
#include <zstd_errors.h>

#include "compress/codecs.h"

namespace kparse {

namespace {

constexpr int window_log_max = 27;   // what zstd's own streaming decoder takes unless told otherwise
constexpr std::uint64_t usual = 16;  // output / input up to which one attempt in one go is worth its memory

/// One frame that streaming would take too. Windows are of no concern to the fast way, but Kafka refuses large ones.
bool is_plain(Bytes in) noexcept {
  constexpr std::uint8_t single_segment = 0x20;
  if (ZSTD_findFrameCompressedSize(in.data(), in.size()) != in.size() || in.size() < 6) return false;
  return (in[4] & single_segment) || (in[5] >> 3) + 10 < window_log_max || in[5] == (window_log_max - 10) << 3;
}

/// Fast way, into the memory that is there; false: it doesn't fit, or something is wrong.
bool read_at_once(Bytes in, ZSTD_DCtx* context, Output& out) noexcept {
  const std::size_t size = ZSTD_decompressDCtx(context, out.buffer().data(), out.room(), in.data(), in.size());
  if (ZSTD_isError(size)) return false;
  out.buffer().added(size);
  return !out.over();
}

/// Tells exactly where the trouble is, keeps what was before it, and takes memory as the output grows.
Error read_stream(Bytes in, ZSTD_DCtx* context, Output& out) noexcept {
  ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
  ZSTD_inBuffer from{in.data(), in.size(), 0};
  for (;;) {
    if (!out.ensure(1)) return no_memory();
    ZSTD_outBuffer to{out.buffer().tail(), out.room(), 0};
    const std::size_t expected = ZSTD_decompressStream(context, &to, &from);
    if (ZSTD_isError(expected)) {
      const bool memory = ZSTD_getErrorCode(expected) == ZSTD_error_memory_allocation;
      return memory ? no_memory() : corrupt(from.pos);
    }
    out.buffer().added(to.pos);
    if (out.over()) return out.past(from.pos);
    if (from.pos == from.size && to.pos < to.size) {
      return expected == 0 ? Error{} : truncated(from.pos, expected, 0);
    }
  }
}

}  // namespace

Error read_zstd(Bytes in, Scratch::Impl& scratch, Output& out) noexcept {
  if (!scratch.zstd) {
    scratch.zstd.reset(ZSTD_createDCtx());
    if (!scratch.zstd) return no_memory();
    ZSTD_DCtx_setParameter(scratch.zstd.get(), ZSTD_d_windowLogMax, window_log_max);
  }
  const unsigned long long claim = ZSTD_getFrameContentSize(in.data(), in.size());
  const bool known = claim != ZSTD_CONTENTSIZE_UNKNOWN && claim != ZSTD_CONTENTSIZE_ERROR;
  if (known && !out.allows(claim)) return out.past(0);
  if (!out.hint(known ? claim : in.size() * usual, usual)) return no_memory();
  if (is_plain(in) && read_at_once(in, scratch.zstd.get(), out)) return {};
  return read_stream(in, scratch.zstd.get(), out);
}

}  // namespace kparse
