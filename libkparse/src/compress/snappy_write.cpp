// SPDX-License-Identifier: MIT
#include <snappy.h>

#include <algorithm>
#include <limits>

#include "compress/codecs.h"

namespace kparse {
namespace {

constexpr std::string_view magic("\x82SNAPPY\0", 8);
constexpr std::uint32_t largest = std::numeric_limits<std::int32_t>::max();

/// False: no memory.
bool write_block(Bytes in, Writer& out) noexcept {
  const std::size_t before = out.size();
  auto* to = reinterpret_cast<char*>(out.extend(snappy::MaxCompressedLength(in.size())));
  if (!to) return false;
  std::size_t size = 0;
  snappy::RawCompress(reinterpret_cast<const char*>(in.data()), in.size(), to, &size);
  out.truncate(before + size);
  return true;
}

}  // namespace

Error write_snappy(Bytes in, Writer& out, const CompressOptions& options) noexcept {
  if (!options.xerial) {
    if (in.size() > largest) return input_too_large(largest, in.size());
    return write_block(in, out) ? Error{} : no_memory();
  }
  out.text(magic);
  out.be(options.xerial_version);
  out.be(options.xerial_compatible);
  const std::size_t block = std::clamp(options.xerial_block, 1u, largest);
  while (!in.empty()) {
    const std::size_t at = out.size();
    out.be(std::int32_t{0});
    if (!write_block(in.first(std::min(block, in.size())), out)) return no_memory();
    const std::size_t size = out.size() - at - 4;
    if (size > largest) return input_too_large(largest, block);
    out.patch_be(at, static_cast<std::int32_t>(size));
    in = in.subspan(std::min(block, in.size()));
  }
  return {};
}

}  // namespace kparse
