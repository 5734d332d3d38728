// SPDX-License-Identifier: MIT
#include "kparse/varint.h"

#include <cstddef>

namespace kparse::detail {

namespace {

template <class T, int MaxBytes>
const std::uint8_t* read_long(const std::uint8_t* at, const std::uint8_t* end, T& out) noexcept {
  const std::ptrdiff_t there = end - at;
  const int limit = there < MaxBytes ? static_cast<int>(there) : MaxBytes;
  T value = 0;
  for (int i = 0; i < limit; ++i) {
    value |= static_cast<T>(at[i] & 0x7f) << (7 * i);  // what a last byte has too much is shifted out, as in Java
    if (at[i] < 0x80) {
      out = value;
      return at + i + 1;
    }
  }
  return nullptr;
}

}  // namespace

const std::uint8_t* long_uvarint(const std::uint8_t* at, const std::uint8_t* end, std::uint32_t& out) noexcept {
  return read_long<std::uint32_t, max_varint_bytes>(at, end, out);
}

const std::uint8_t* long_uvarlong(const std::uint8_t* at, const std::uint8_t* end, std::uint64_t& out) noexcept {
  return read_long<std::uint64_t, max_varlong_bytes>(at, end, out);
}

}  // namespace kparse::detail
