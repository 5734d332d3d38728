// SPDX-License-Identifier: MIT
// What a Scratch holds. Contexts are made when their codec is first met.
#pragma once

#include <isa-l/igzip_lib.h>
#include <lz4frame.h>
#include <zstd.h>

#include <memory>

#include "compress/buffer.h"
#include "kparse/compress.h"

namespace kparse {

struct Lz4Free {
  void operator()(LZ4F_dctx* c) const noexcept { LZ4F_freeDecompressionContext(c); }
};
struct ZstdFree {
  void operator()(ZSTD_DCtx* c) const noexcept { ZSTD_freeDCtx(c); }
};

struct ZstdWriteFree {
  void operator()(ZSTD_CCtx* c) const noexcept { ZSTD_freeCCtx(c); }
};
struct Deflate;  // gzip_write.cpp
struct DeflateFree {
  void operator()(Deflate*) const noexcept;
};

struct Scratch::Impl {
  Buffer out;
  std::unique_ptr<inflate_state> inflate;
  std::unique_ptr<LZ4F_dctx, Lz4Free> lz4;
  std::unique_ptr<ZSTD_DCtx, ZstdFree> zstd;
  std::unique_ptr<Deflate, DeflateFree> deflate;
  std::unique_ptr<ZSTD_CCtx, ZstdWriteFree> zstd_write;
};

}  // namespace kparse
