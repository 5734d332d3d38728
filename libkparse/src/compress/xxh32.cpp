// SPDX-License-Identifier: MIT
#include "compress/xxh32.h"

#include <bit>

namespace kparse {
namespace {

constexpr std::uint32_t prime1 = 2654435761u, prime2 = 2246822519u, prime3 = 3266489917u, prime4 = 668265263u,
                        prime5 = 374761393u;

std::uint32_t load_le32(const std::uint8_t* at) noexcept { return __builtin_bswap32(load_be<std::uint32_t>(at)); }

/// The last bytes, less than 16.
std::uint32_t finish(std::uint32_t h, Bytes in) noexcept {
  std::size_t at = 0;
  for (; in.size() - at >= 4; at += 4) h = std::rotl(h + load_le32(in.data() + at) * prime3, 17) * prime4;
  for (; at < in.size(); ++at) h = std::rotl(h + in[at] * prime5, 11) * prime1;
  h = (h ^ (h >> 15)) * prime2;
  h = (h ^ (h >> 13)) * prime3;
  return h ^ (h >> 16);
}

}  // namespace

std::uint32_t xxh32_short(Bytes in) noexcept { return finish(prime5 + static_cast<std::uint32_t>(in.size()), in); }

std::uint32_t xxh32(Bytes in) noexcept {
  const auto size = static_cast<std::uint32_t>(in.size());
  if (in.size() < 16) return xxh32_short(in);
  std::uint32_t lanes[4] = {prime1 + prime2, prime2, 0, 0u - prime1};
  for (; in.size() >= 16; in = in.subspan(16))
    for (std::size_t i = 0; i < 4; ++i)
      lanes[i] = std::rotl(lanes[i] + load_le32(in.data() + 4 * i) * prime2, 13) * prime1;
  const std::uint32_t h =
      std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
  return finish(h + size, in);
}

}  // namespace kparse
