// SPDX-License-Identifier: MIT
// The output of a decompression; keeps its memory for the next one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "kparse/bytes.h"

namespace kparse {

class Buffer {
 public:
  [[nodiscard]] std::uint8_t* data() noexcept { return data_.get(); }
  [[nodiscard]] std::uint8_t* tail() noexcept { return data_.get() + size_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t room() const noexcept { return capacity_ - size_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] Bytes bytes() noexcept { return {data_.get(), size_}; }

  void added(std::size_t n) noexcept { size_ += n; }

  /// Empty again. Memory of an unusually large output isn't kept for many small ones.
  void clear() noexcept {
    if (capacity_ > keep && size_ < capacity_ / 8 && ++small_ > patience) {
      data_.reset();
      capacity_ = 0;
    }
    if (size_ >= capacity_ / 8) small_ = 0;
    size_ = 0;
  }

  /// Makes room for `n` more bytes; false: no memory (the content stays).
  [[nodiscard]] bool reserve(std::size_t n) noexcept {
    if (room() >= n && data_) return true;
    const std::size_t wanted = size_ + n < smallest ? smallest : size_ + n;
    auto* grown = static_cast<std::uint8_t*>(std::realloc(data_.get(), wanted));
    if (!grown) return false;
    (void)data_.release();
    data_.reset(grown);
    capacity_ = wanted;
    return true;
  }

 private:
  struct Free {
    void operator()(std::uint8_t* p) const noexcept { std::free(p); }
  };
  static constexpr std::size_t smallest = 64u << 10;
  static constexpr std::size_t keep = 16u << 20;
  static constexpr int patience = 64;

  std::unique_ptr<std::uint8_t, Free> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  int small_ = 0;
};

}  // namespace kparse
