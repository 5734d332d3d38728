// SPDX-License-Identifier: MIT
#include "kparse/compress.h"

#include <array>

#include "compress/codecs.h"

namespace kparse {

std::string_view name_of(Codec c) noexcept {
  static constexpr std::array<std::string_view, 5> names{"none", "gzip", "snappy", "lz4", "zstd"};
  return static_cast<std::size_t>(c) < names.size() ? names[static_cast<std::size_t>(c)] : "unknown";
}

Scratch::Scratch() : impl_(std::make_unique<Impl>()) {}
Scratch::~Scratch() = default;
Scratch::Scratch(Scratch&&) noexcept = default;
Scratch& Scratch::operator=(Scratch&&) noexcept = default;

Decompressed decompress(Codec codec, Bytes in, Scratch& scratch, const DecompressLimits& limits,
                        Lz4Header header) noexcept {
  Decompressed result;
  if (codec == Codec::none) {
    result.data = in;
    return result;
  }
  if (in.empty()) {
    result.error = truncated(0, 1, 0);
    return result;
  }
  Scratch::Impl& impl = scratch.impl();
  Output out(impl.out, in.size(), limits);
  switch (codec) {
    case Codec::gzip:
      result.error = read_gzip(in, impl, out);
      break;
    case Codec::snappy:
      result.error = read_snappy(in, out, result);
      break;
    case Codec::lz4:
      result.error = read_lz4(in, impl, out, header, result);
      break;
    case Codec::zstd:
      result.error = read_zstd(in, impl, out);
      break;
    default:
      result.error = {.code = Code::unknownCodec, .have = static_cast<std::uint64_t>(codec)};
      break;
  }
  const bool past = result.error.code == Code::tooLarge || result.error.code == Code::tooDense;
  static constexpr std::uint8_t nothing = 0;  // an empty output isn't Kafka's null
  if (!past) result.data = impl.out.data() ? impl.out.bytes() : Bytes{&nothing, 0};
  return result;
}

Error compress(Codec codec, Bytes in, Scratch& scratch, Writer& out, const CompressOptions& options) noexcept {
  const std::size_t before = out.size();
  Scratch::Impl& impl = scratch.impl();
  Error error;
  switch (codec) {
    case Codec::none:
      out.bytes(in);
      break;
    case Codec::gzip:
      error = write_gzip(in, impl, out);
      break;
    case Codec::snappy:
      error = write_snappy(in, out, options);
      break;
    case Codec::lz4:
      error = write_lz4(in, out, options.lz4_header);
      break;
    case Codec::zstd:
      error = write_zstd(in, impl, out);
      break;
    default:
      error = {.code = Code::unknownCodec, .have = static_cast<std::uint64_t>(codec)};
      break;
  }
  if (!error && !out.ok()) error = no_memory();
  if (error) out.truncate(before);
  return error;
}

}  // namespace kparse
