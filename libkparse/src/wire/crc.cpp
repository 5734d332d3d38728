// SPDX-License-Identifier: MIT
#include "kparse/crc.h"

#include <isa-l/crc.h>

#include <algorithm>

namespace kparse {

std::uint32_t crc32c(Bytes data) noexcept {
  constexpr std::size_t most = 1u << 30;  // ISA-L takes the length as an int
  std::uint32_t crc = 0xffffffff;
  while (!data.empty()) {
    const std::size_t n = std::min(data.size(), most);
    crc = crc32_iscsi(const_cast<std::uint8_t*>(data.data()), static_cast<int>(n), crc);
    data = data.subspan(n);
  }
  return ~crc;
}

std::uint32_t crc32(Bytes data) noexcept { return crc32_gzip_refl(0, data.data(), data.size()); }

}  // namespace kparse
