// SPDX-License-Identifier: MIT
#include "support.h"

#include <isa-l/igzip_lib.h>
#include <lz4frame.h>
#include <snappy.h>
#include <zstd.h>

#include <algorithm>
#include <memory>

namespace kparse::test {

Blob gzip(std::string_view in) {
  isal_zstream stream;
  isal_deflate_stateless_init(&stream);
  Blob level(ISAL_DEF_LVL1_DEFAULT), out(in.size() + in.size() / 8 + 1024);
  stream.level = 1;
  stream.level_buf = level.data();
  stream.level_buf_size = ISAL_DEF_LVL1_DEFAULT;
  stream.gzip_flag = IGZIP_GZIP;
  stream.next_in = const_cast<std::uint8_t*>(view(in).data());
  stream.avail_in = static_cast<std::uint32_t>(in.size());
  stream.end_of_stream = 1;
  stream.next_out = out.data();
  stream.avail_out = static_cast<std::uint32_t>(out.size());
  if (isal_deflate_stateless(&stream) != COMP_OK) return {};
  out.resize(stream.total_out);
  return out;
}

Blob snappy_raw(std::string_view in) {
  std::string out;
  snappy::Compress(in.data(), in.size(), &out);
  return {out.begin(), out.end()};
}

Blob xerial(std::initializer_list<std::string_view> blocks) {
  Blob out = from_hex("82534e4150505900 00000001 00000001");
  for (const std::string_view b : blocks) {
    const Blob packed = snappy_raw(b);
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(packed.size() >> shift));
    append(out, packed);
  }
  return out;
}

Blob lz4(std::string_view in, Lz4Shape shape) {
  LZ4F_preferences_t p{};
  p.frameInfo.blockSizeID = static_cast<LZ4F_blockSizeID_t>(shape.block_code);
  p.frameInfo.blockMode = shape.linked ? LZ4F_blockLinked : LZ4F_blockIndependent;
  p.frameInfo.blockChecksumFlag = shape.block_checksum ? LZ4F_blockChecksumEnabled : LZ4F_noBlockChecksum;
  p.frameInfo.contentChecksumFlag = shape.content_checksum ? LZ4F_contentChecksumEnabled : LZ4F_noContentChecksum;
  p.frameInfo.contentSize = shape.content_size ? in.size() : 0;
  Blob out(LZ4F_compressFrameBound(in.size(), &p) + 64);
  LZ4F_cctx* context = nullptr;  // not LZ4F_compressFrame: that drops the linking of a single block
  if (LZ4F_isError(LZ4F_createCompressionContext(&context, LZ4F_VERSION))) return {};
  std::size_t n = LZ4F_compressBegin(context, out.data(), out.size(), &p);
  n += LZ4F_compressUpdate(context, out.data() + n, out.size() - n, in.data(), in.size(), nullptr);
  n += LZ4F_compressEnd(context, out.data() + n, out.size() - n, nullptr);
  LZ4F_freeCompressionContext(context);
  out.resize(n);
  return out;
}

Blob zstd(std::string_view in, bool content_size, bool checksum) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, content_size);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, checksum);
  Blob out(ZSTD_compressBound(in.size()));
  const std::size_t n = ZSTD_compress2(context, out.data(), out.size(), in.data(), in.size());
  ZSTD_freeCCtx(context);
  out.resize(ZSTD_isError(n) ? 0 : n);
  return out;
}

Decompressed open_exactly(Codec codec, Bytes in, Scratch& scratch, const DecompressLimits& limits) {
  const auto block = std::make_unique<std::uint8_t[]>(in.size());
  std::copy(in.begin(), in.end(), block.get());
  return decompress(codec, {block.get(), in.size()}, scratch, limits);
}

}  // namespace kparse::test
