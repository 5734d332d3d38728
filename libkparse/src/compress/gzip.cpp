// SPDX-License-Identifier: MIT
// RFC 1952 as java.util.zip.GZIPInputStream reads it.
#include <algorithm>
#include <limits>
#include <new>

#include "compress/codecs.h"

namespace kparse {

namespace {

constexpr std::size_t smallest_member = 18;

/// False: no (whole) gzip header.
bool read_header(inflate_state& state) noexcept {
  isal_gzip_header header;
  isal_gzip_header_init(&header);
  return isal_read_gzip_header(&state, &header) == ISAL_DECOMP_OK;
}

/// The deflate stream and the trailer of one member, whose header is read.
Error read_member(Bytes in, inflate_state& state, Output& out) noexcept {
  while (state.block_state != ISAL_BLOCK_FINISH) {
    if (!out.ensure(1)) return no_memory();
    const auto room =
        static_cast<std::uint32_t>(std::min<std::size_t>(out.room(), std::numeric_limits<std::uint32_t>::max()));
    state.next_out = out.buffer().tail();
    state.avail_out = room;
    const int answer = isal_inflate(&state);
    out.buffer().added(room - state.avail_out);
    // After an error ISA-L may hand back more bytes than it was given.
    const std::size_t offset = in.size() - std::min<std::size_t>(state.avail_in, in.size());
    if (out.over()) return out.past(offset);
    if (answer != ISAL_DECOMP_OK) return corrupt(offset);
    const bool starved = state.avail_in == 0 && state.avail_out > 0;
    if (state.block_state != ISAL_BLOCK_FINISH && starved) return truncated(offset, 1, 0);
  }
  return {};
}

}  // namespace

Error read_gzip(Bytes in, Scratch::Impl& scratch, Output& out) noexcept {
  if (in.size() > std::numeric_limits<std::uint32_t>::max()) return out.past(0);
  if (!scratch.inflate) {
    scratch.inflate.reset(new (std::nothrow) inflate_state);
    if (!scratch.inflate) return no_memory();
    isal_inflate_init(scratch.inflate.get());
  }
  inflate_state& state = *scratch.inflate;

  if (in.size() >= smallest_member) {
    std::uint32_t size = 0;  // of the last member; nearly always there is just one
    for (std::size_t i = 0; i < 4; ++i) size |= std::uint32_t{in[in.size() - 4 + i]} << (8 * i);
    if (!out.hint(size, 64)) return no_memory();
  }
  for (std::size_t at = 0;;) {
    isal_inflate_reset(&state);
    state.crc_flag = ISAL_GZIP_NO_HDR_VER;
    state.next_in = const_cast<std::uint8_t*>(in.data()) + at;
    state.avail_in = static_cast<std::uint32_t>(in.size() - at);
    if (!read_header(state)) {
      if (at > 0) return {};  // what follows the last member is nobody's business
      const bool short_one = state.avail_in == 0 && in.size() < smallest_member;
      return short_one ? truncated(in.size(), smallest_member, in.size()) : corrupt(in.size() - state.avail_in);
    }
    if (const Error e = read_member(in, state, out)) return e;
    at = in.size() - state.avail_in;
    if (in.size() - at <= smallest_member) return {};
  }
}

}  // namespace kparse
