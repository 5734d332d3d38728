// SPDX-License-Identifier: MIT
// Appends Kafka's primitive encodings to a buffer that grows: the counterpart of reader.h and varint.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kparse/bytes.h"

namespace kparse {

/// Kept from use to use. When memory runs out, what is written is dropped: ok() tells, until clear().
class Writer {
 public:
  Writer() noexcept = default;
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;

  /// Valid until the next write.
  [[nodiscard]] Bytes view() const noexcept { return {data_, size_}; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool ok() const noexcept { return !failed_; }
  void clear() noexcept {
    size_ = 0;
    failed_ = false;
  }
  /// Takes back what was written since the size was `n`.
  void truncate(std::size_t n) noexcept {
    if (n < size_) size_ = n;
  }

  /// Room for `n` more bytes, to be filled by the caller; nullptr when there is no memory.
  [[nodiscard]] std::uint8_t* extend(std::size_t n) noexcept {
    if (!room(n)) return nullptr;
    size_ += n;
    return data_ + size_ - n;
  }
  /// Big-endian integer or, for one byte, the byte.
  template <class T>
  void be(T v) noexcept {
    if (std::uint8_t* at = extend(sizeof v)) store_be(at, v);
  }
  void bytes(Bytes) noexcept;
  void text(std::string_view t) noexcept { bytes({reinterpret_cast<const std::uint8_t*>(t.data()), t.size()}); }
  /// Unsigned (compact lengths, tag numbers).
  void uvarint(std::uint32_t v) noexcept { uvarlong(v); }
  void uvarlong(std::uint64_t) noexcept;
  /// Zigzag (lengths and deltas in records).
  void varint(std::int32_t v) noexcept {
    uvarint(static_cast<std::uint32_t>(v) << 1 ^ static_cast<std::uint32_t>(v >> 31));
  }
  void varlong(std::int64_t v) noexcept {
    uvarlong(static_cast<std::uint64_t>(v) << 1 ^ static_cast<std::uint64_t>(v >> 63));
  }

  /// Overwrites what stands at `at`, which has been written already.
  template <class T>
  void patch_be(std::size_t at, T v) noexcept {
    if (at <= size_ && sizeof v <= size_ - at) store_be(data_ + at, v);
  }
  /// A place for a uvarint that isn't known yet; patch_uvarint() puts it there and moves what follows, which costs
  /// nothing below 128.
  [[nodiscard]] std::size_t reserve_uvarint() noexcept {
    be(std::uint8_t{0});
    return size_ - 1;
  }
  void patch_uvarint(std::size_t at, std::uint32_t) noexcept;

 private:
  template <class T>
  static void store_be(std::uint8_t* at, T v) noexcept {
    v = load_be<T>(reinterpret_cast<const std::uint8_t*>(&v));  // turning the bytes round is its own inverse
    std::memcpy(at, &v, sizeof v);
  }
  [[nodiscard]] bool room(std::size_t n) noexcept { return n <= capacity_ - size_ || grow(n); }
  bool grow(std::size_t n) noexcept;

  std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
  bool failed_ = false;
};

}  // namespace kparse
