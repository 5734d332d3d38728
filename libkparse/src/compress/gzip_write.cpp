// SPDX-License-Identifier: MIT
#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "compress/codecs.h"

namespace kparse {

struct Deflate {
  isal_zstream stream;
  std::uint8_t level[ISAL_DEF_LVL1_DEFAULT];
};

void DeflateFree::operator()(Deflate* d) const noexcept { delete d; }

Error write_gzip(Bytes in, Scratch::Impl& scratch, Writer& out) noexcept {
  constexpr std::size_t largest = std::numeric_limits<std::int32_t>::max(), step = 64u << 10;
  if (in.size() > largest) return input_too_large(largest, in.size());
  if (!scratch.deflate) scratch.deflate.reset(new (std::nothrow) Deflate);
  if (!scratch.deflate) return no_memory();
  isal_zstream& stream = scratch.deflate->stream;
  isal_deflate_init(&stream);
  stream.level = 1;
  stream.level_buf = scratch.deflate->level;
  stream.level_buf_size = sizeof scratch.deflate->level;
  stream.gzip_flag = IGZIP_GZIP;
  stream.end_of_stream = 1;
  stream.next_in = const_cast<std::uint8_t*>(in.data());
  stream.avail_in = static_cast<std::uint32_t>(in.size());
  while (stream.internal_state.state != ZSTATE_END) {
    const std::size_t before = out.size(), room = std::max(step, in.size() / 8);
    std::uint8_t* to = out.extend(room);
    if (!to) return no_memory();
    stream.next_out = to;
    stream.avail_out = static_cast<std::uint32_t>(room);
    if (isal_deflate(&stream) != COMP_OK) return no_memory();
    out.truncate(before + room - stream.avail_out);
  }
  return {};
}

}  // namespace kparse
