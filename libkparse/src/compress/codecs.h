// SPDX-License-Identifier: MIT
// One function a codec and direction. Reading: writes what `in` holds to `out` and says where and why it stopped early.
#pragma once

#include "compress/output.h"
#include "compress/scratch.h"
#include "kparse/compress.h"

namespace kparse {

[[nodiscard]] Error read_gzip(Bytes in, Scratch::Impl&, Output& out) noexcept;
[[nodiscard]] Error read_snappy(Bytes in, Output& out, Decompressed& about) noexcept;
[[nodiscard]] Error read_lz4(Bytes in, Scratch::Impl&, Output& out, Lz4Header, Decompressed& about) noexcept;
[[nodiscard]] Error read_zstd(Bytes in, Scratch::Impl&, Output& out) noexcept;

/// The other way: append to `out`. What was appended before an error is taken back by the caller.
[[nodiscard]] Error write_gzip(Bytes in, Scratch::Impl&, Writer& out) noexcept;
[[nodiscard]] Error write_snappy(Bytes in, Writer& out, const CompressOptions&) noexcept;
[[nodiscard]] Error write_lz4(Bytes in, Writer& out, Lz4Header) noexcept;
[[nodiscard]] Error write_zstd(Bytes in, Scratch::Impl&, Writer& out) noexcept;

[[nodiscard]] inline Error corrupt(std::uint64_t offset) noexcept {
  return {.code = Code::corrupt, .limit = Limit::payload, .offset = offset};
}
[[nodiscard]] inline Error truncated(std::uint64_t offset, std::uint64_t need, std::uint64_t have) noexcept {
  return {.code = Code::truncated, .limit = Limit::payload, .offset = offset, .need = need, .have = have};
}
[[nodiscard]] inline Error no_memory() noexcept { return {.code = Code::noMemory, .limit = Limit::payload}; }

[[nodiscard]] inline Error input_too_large(std::uint64_t most, std::uint64_t size) noexcept {
  return {.code = Code::tooLarge, .limit = Limit::payload, .need = most, .have = size};
}

}  // namespace kparse
