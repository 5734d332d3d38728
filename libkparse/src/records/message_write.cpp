// SPDX-License-Identifier: MIT
#include "records/message_write.h"

#include <limits>

#include "kparse/crc.h"

namespace kparse {
namespace {

constexpr std::size_t largest = std::numeric_limits<std::int32_t>::max();

void write_sized(Bytes b, std::optional<std::int32_t> length, Writer& out) noexcept {
  out.be(length.value_or(b.data() ? static_cast<std::int32_t>(b.size()) : -1));
  out.bytes(b);
}

}  // namespace

bool write_message(const NewMessage& m, Writer& out) noexcept {
  if (m.key.size() > largest || m.value.size() > largest) return false;
  out.be(m.offset);
  const std::size_t size_at = out.size();
  out.be(std::int32_t{0});
  const std::size_t crc_at = out.size();
  out.be(std::uint32_t{0});
  out.be(m.magic);
  out.be(m.attributes);
  if (m.magic == 1) out.be(m.timestamp);
  write_sized(m.key, m.key_length, out);
  write_sized(m.value, m.value_length, out);
  const std::size_t size = out.size() - crc_at;
  if (size > largest) return false;
  if (!out.ok()) return true;
  out.patch_be(size_at, m.length.value_or(static_cast<std::int32_t>(size)));
  out.patch_be(crc_at, crc32(out.view().subspan(crc_at + 4)) ^ m.crc_xor);
  return true;
}

}  // namespace kparse
