// SPDX-License-Identifier: MIT
#include "kparse/writer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "kparse/varint.h"

namespace kparse {
namespace {

std::size_t put_uvarlong(std::uint8_t* to, std::uint64_t v) noexcept {
  std::size_t n = 0;
  for (; v >= 0x80; v >>= 7) to[n++] = static_cast<std::uint8_t>(v | 0x80);
  to[n++] = static_cast<std::uint8_t>(v);
  return n;
}

}  // namespace

Writer::~Writer() { std::free(data_); }

Writer::Writer(Writer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)),
      failed_(std::exchange(other.failed_, false)) {}

Writer& Writer::operator=(Writer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
  std::swap(failed_, other.failed_);
  return *this;
}

bool Writer::grow(std::size_t n) noexcept {
  const std::size_t wanted = std::max({std::size_t{512}, size_ + n, capacity_ * 2});
  auto* bigger = failed_ || wanted < n ? nullptr : static_cast<std::uint8_t*>(std::realloc(data_, wanted));
  if (!bigger) {
    failed_ = true;
    return false;
  }
  data_ = bigger;
  capacity_ = wanted;
  return true;
}

void Writer::bytes(Bytes b) noexcept {
  if (b.empty()) return;
  if (std::uint8_t* at = extend(b.size())) std::memcpy(at, b.data(), b.size());
}

void Writer::uvarlong(std::uint64_t v) noexcept {
  if (!room(max_varlong_bytes)) return;
  size_ += put_uvarlong(data_ + size_, v);
}

void Writer::patch_uvarint(std::size_t at, std::uint32_t v) noexcept {
  if (at >= size_) return;
  std::uint8_t encoded[max_varint_bytes];
  const std::size_t n = put_uvarlong(encoded, v), tail = size_ - at - 1;
  if (n > 1) {
    if (!extend(n - 1)) return;
    std::memmove(data_ + at + n, data_ + at + 1, tail);
  }
  std::memcpy(data_ + at, encoded, n);
}

}  // namespace kparse
