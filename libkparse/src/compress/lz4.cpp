// SPDX-License-Identifier: MIT
// LZ4 frames (version 1.6 of the frame format) as Kafka uses them.
#include <algorithm>
#include <array>
#include <cstring>

#include "compress/codecs.h"
#include "compress/xxh32.h"

namespace kparse {

namespace {

constexpr std::uint8_t magic[4] = {0x04, 0x22, 0x4d, 0x18};
constexpr std::uint8_t flag_dictionary = 0x01;
constexpr std::uint8_t flag_content_size = 0x08;
constexpr std::uint64_t densest = 255;

std::uint32_t load_le32(const std::uint8_t* at) noexcept { return __builtin_bswap32(load_be<std::uint32_t>(at)); }

struct Header {
  std::array<std::uint8_t, 15> bytes{};  // a copy: its checksum may have to be mended
  std::size_t size = 0;
  std::uint64_t content = 0;  // 0: not said
  std::size_t block = 0;      // largest block, uncompressed
};

Error read_header(Bytes in, Lz4Header mode, Header& out, bool& wrong_checksum) noexcept {
  if (in.size() < 7) return truncated(in.size(), 7, in.size());
  if (std::memcmp(in.data(), magic, sizeof magic) != 0) return corrupt(0);
  const std::uint8_t flags = in[4];
  if (flags & flag_dictionary) return corrupt(4);
  out.size = flags & flag_content_size ? 15 : 7;
  if (in.size() < out.size) return truncated(in.size(), out.size, in.size());
  std::copy_n(in.data(), out.size, out.bytes.data());
  if (flags & flag_content_size)
    out.content = load_le32(in.data() + 6) | std::uint64_t{load_le32(in.data() + 10)} << 32;
  const int code = in[5] >> 4 & 7;
  out.block = std::size_t{1} << (8 + 2 * std::max(code, 4));

  std::uint8_t& checksum = out.bytes[out.size - 1];
  const auto right = static_cast<std::uint8_t>(xxh32_short(in.subspan(4, out.size - 5)) >> 8);
  if (checksum != right) {
    if (mode == Lz4Header::checked) return corrupt(out.size - 1);
    wrong_checksum = true;
    checksum = right;
  }
  return {};
}

Error read_frame(Bytes in, Header& header, LZ4F_dctx* context, Output& out) noexcept {
  if (!out.hint(header.content, densest)) return no_memory();
  std::size_t used = header.size, none = 0;
  std::size_t expected = LZ4F_decompress(context, nullptr, &none, header.bytes.data(), &used, nullptr);
  if (LZ4F_isError(expected) || used != header.size) return corrupt(4);
  for (std::size_t at = header.size; expected != 0;) {
    // With room for a whole block liblz4 writes it in place; an input this short can't fill one.
    if (!out.ensure(std::min<std::uint64_t>(header.block, std::uint64_t{in.size()} * densest))) return no_memory();
    std::size_t produced = out.room();
    // One block a call, without the four bytes after it: a call that fails gives nothing of what it read.
    std::size_t consumed = std::min(expected > 4 ? expected - 4 : expected, in.size() - at);
    expected = LZ4F_decompress(context, out.buffer().tail(), &produced, in.data() + at, &consumed, nullptr);
    if (LZ4F_isError(expected)) return corrupt(at);
    out.buffer().added(produced);
    at += consumed;
    if (out.over()) return out.past(at);
    if (expected != 0 && at == in.size() && out.room() > 0) return truncated(at, expected, 0);
  }
  return {};
}

}  // namespace

Error read_lz4(Bytes in, Scratch::Impl& scratch, Output& out, Lz4Header mode, Decompressed& about) noexcept {
  Header header;
  if (const Error e = read_header(in, mode, header, about.lz4_wrong_header_checksum)) return e;
  if (!scratch.lz4) {
    LZ4F_dctx* made = nullptr;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&made, LZ4F_VERSION))) return no_memory();
    scratch.lz4.reset(made);
  }
  LZ4F_resetDecompressionContext(scratch.lz4.get());
  const Error e = read_frame(in, header, scratch.lz4.get(), out);
  if (e) scratch.lz4.reset();  // a reset after a frame not read to its end leaves the old content size in it (1.9.4)
  return e;
}

}  // namespace kparse
