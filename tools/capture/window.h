// SPDX-License-Identifier: MIT
// A moving window over a ByteSource: large reads, and any number of bytes in one piece when asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "capture/byte_source.h"

namespace kparse::capture {

class Window {
 public:
  explicit Window(ByteSource& from, std::size_t read_size = 256u << 10) : from_(&from), buffer_(read_size) {}

  /// The next `n` bytes in one piece, not consumed; null if the source ends before. Views given before end here.
  /// Memory grows with the bytes that really came, not with `n`.
  [[nodiscard]] const std::uint8_t* need(std::size_t n) { return n <= end_ - at_ ? buffer_.data() + at_ : fill(n); }
  /// `n` bytes that need() showed are done with; they stay readable until the next need().
  void consume(std::size_t n) noexcept { at_ += n; }
  /// Jumps over n bytes; false if the source ends before.
  bool skip(std::uint64_t n);
  /// Of the next byte, from the start of the source.
  [[nodiscard]] std::uint64_t offset() const noexcept { return base_ + at_; }
  /// Bytes at hand without reading.
  [[nodiscard]] Bytes rest() const noexcept { return {buffer_.data() + at_, end_ - at_}; }
  [[nodiscard]] ByteSource& source() noexcept { return *from_; }

 private:
  const std::uint8_t* fill(std::size_t n);

  ByteSource* from_;
  std::vector<std::uint8_t> buffer_;
  std::size_t at_ = 0, end_ = 0;
  std::uint64_t base_ = 0;  // offset of buffer_[0]
};

}  // namespace kparse::capture
