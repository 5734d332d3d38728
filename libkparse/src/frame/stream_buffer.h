// SPDX-License-Identifier: MIT
// Bytes of one direction that wait for more, and which packets brought them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kparse/bytes.h"
#include "kparse/stamp.h"

namespace kparse::frame {

struct Stamps {
  Stamp carried;  ///< the packet with the byte
  Stamp now;      ///< the packet that made it available
};

/// Grows with what comes, by doubling; gives its memory back as soon as it is empty: to its thread, which keeps up
/// to 8 MiB for the next.
class StreamBuffer {
 public:
  StreamBuffer() = default;
  ~StreamBuffer();
  StreamBuffer(const StreamBuffer&) = delete;
  StreamBuffer& operator=(const StreamBuffer&) = delete;

  [[nodiscard]] bool empty() const noexcept { return begin_ == end_; }
  [[nodiscard]] std::size_t size() const noexcept { return end_ - begin_; }
  [[nodiscard]] Bytes view() const noexcept { return {data_ + begin_, end_ - begin_}; }
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }  ///< of the first byte in the stream

  /// False: no memory, nothing was added. `edges`: only the stamps of the first and the last piece matter.
  [[nodiscard]] bool append(std::uint64_t offset, Bytes, const Stamps&, bool edges) noexcept;
  void drop(std::size_t n) noexcept;
  void clear() noexcept { drop(size()); }
  /// Of the byte at this offset, which must be in the buffer. O(log pieces).
  [[nodiscard]] const Stamps& stamps(std::uint64_t offset) const noexcept;

 private:
  struct Mark {
    std::uint64_t offset;
    Stamps stamps;
  };
  void mark(std::uint64_t offset, const Stamps&, bool edges) noexcept;
  [[nodiscard]] bool make_room(std::size_t more) noexcept;

  std::uint8_t* data_ = nullptr;
  std::size_t capacity_ = 0, begin_ = 0, end_ = 0;
  std::uint64_t offset_ = 0;
  std::vector<Mark> marks_;
  std::size_t first_mark_ = 0;
};

}  // namespace kparse::frame
