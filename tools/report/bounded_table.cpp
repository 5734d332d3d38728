// SPDX-License-Identifier: MIT
#include "report/bounded_table.h"

namespace kparse::report {

// FNV-1a, its bits mixed once more (MurmurHash3's finalizer): keys that differ in their last byte shall differ everywhere.
std::uint64_t stable_hash(std::string_view key) noexcept {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : key) h = (h ^ static_cast<std::uint8_t>(c)) * 0x100000001b3u;
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
  h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53u;
  return h ^ (h >> 33);
}

}  // namespace kparse::report
