// SPDX-License-Identifier: MIT
#include "compress/xxh32.h"

#include <bit>

namespace kparse {
namespace {

std::uint32_t load_le32(const std::uint8_t* at) noexcept { return __builtin_bswap32(load_be<std::uint32_t>(at)); }

}  // namespace

std::uint32_t xxh32_short(Bytes in) noexcept {
  constexpr std::uint32_t prime1 = 2654435761u, prime2 = 2246822519u, prime3 = 3266489917u, prime4 = 668265263u,
                          prime5 = 374761393u;
  std::uint32_t h = prime5 + static_cast<std::uint32_t>(in.size());
  std::size_t at = 0;
  for (; in.size() - at >= 4; at += 4) h = std::rotl(h + load_le32(in.data() + at) * prime3, 17) * prime4;
  for (; at < in.size(); ++at) h = std::rotl(h + in[at] * prime5, 11) * prime1;
  h = (h ^ (h >> 15)) * prime2;
  h = (h ^ (h >> 13)) * prime3;
  return h ^ (h >> 16);
}

}  // namespace kparse
