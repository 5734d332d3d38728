// SPDX-License-Identifier: MIT
#include "report/traceparent.h"

#include <cstddef>
#include <cstring>

namespace kparse::report {
namespace {

// Sixteen at a time, without a branch: compilers make vector code of it.
bool all_hex(const std::uint8_t* at) noexcept {
  std::uint8_t wrong = 0;
  for (std::size_t i = 0; i < 16; ++i) {
    const std::uint8_t digit = static_cast<std::uint8_t>(at[i] - '0') > 9;
    const std::uint8_t letter = static_cast<std::uint8_t>(at[i] - 'a') > 5;
    wrong = static_cast<std::uint8_t>(wrong | (digit & letter));
  }
  return wrong == 0;
}

bool zeros(const std::uint8_t* at, std::size_t pieces) noexcept {
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < pieces; ++i) {
    std::uint64_t piece = 0;
    std::memcpy(&piece, at + i * 8, 8);
    any |= piece ^ 0x3030303030303030u;
  }
  return any == 0;
}

bool hex(std::uint8_t c) noexcept { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

}  // namespace

bool valid_traceparent(Bytes value) noexcept {
  if (value.size() < 55) return false;
  const std::uint8_t* v = value.data();
  if (v[2] != '-' || v[35] != '-' || v[52] != '-') return false;
  if (!all_hex(v + 3) || !all_hex(v + 19) || !all_hex(v + 36)) return false;
  if (!hex(v[0]) || !hex(v[1]) || !hex(v[53]) || !hex(v[54])) return false;
  if (v[0] == 'f' && v[1] == 'f') return false;
  if (zeros(v + 3, 4) || zeros(v + 36, 2)) return false;
  const bool version_00 = v[0] == '0' && v[1] == '0';
  return value.size() == 55 || (!version_00 && v[55] == '-');
}

}  // namespace kparse::report
