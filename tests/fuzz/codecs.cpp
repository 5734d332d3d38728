// SPDX-License-Identifier: MIT
#include <algorithm>

#include "input.h"
#include "kparse/compress.h"
#include "targets.h"

namespace kparse::fuzz {

void codecs(Bytes input) {
  constexpr Codec all[] = {Codec::gzip, Codec::snappy, Codec::lz4, Codec::zstd};
  Input in(input);
  const std::uint8_t how = in.u8();
  const Codec codec = all[how & 3];
  const Lz4Header lz4 = (how & 4) != 0 ? Lz4Header::lenient : Lz4Header::checked;
  const Copy bytes(in.rest());
  static Scratch scratch;
  if ((how & 8) == 0) {
    constexpr DecompressLimits limits{.max_out = 1u << 20, .max_ratio = 500, .ratio_from = 1u << 16};
    const Decompressed d = decompress(codec, bytes, scratch, limits, lz4);
    KPARSE_HOLDS(d.data.size() <= limits.max_out);
    KPARSE_HOLDS(static_cast<Bytes>(bytes).size() > 0 || d.error);
    KPARSE_HOLDS((d.error.code != Code::tooLarge && d.error.code != Code::tooDense) || d.data.empty());
    KPARSE_HOLDS(d.error.offset <= static_cast<Bytes>(bytes).size());
    return;
  }
  Writer out;
  const CompressOptions options{.xerial = (how & 16) == 0, .xerial_block = how & 32u ? 1u : 1000u, .lz4_header = lz4};
  KPARSE_HOLDS(!compress(codec, bytes, scratch, out, options));
  const Copy compressed(out.view());
  const Decompressed d = decompress(codec, compressed, scratch, {}, lz4);
  KPARSE_HOLDS(!d.error && std::ranges::equal(d.data, static_cast<Bytes>(bytes)));
}

}  // namespace kparse::fuzz
