// SPDX-License-Identifier: MIT
#include "frame/stream_buffer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace kparse::frame {

namespace {
constexpr std::size_t max_marks =
    256u << 10;  // beyond, pieces share a mark: only one-byte packets by the 100,000 get there
/// The memory of a thread's empty buffers, for the next that needs some. Of thousands of connections few are inside a
/// frame at a time: what was used last is still in the processor's cache.
class Spare {
 public:
  constexpr Spare() noexcept = default;
  ~Spare() {
    while (count_ > 0) std::free(pieces_[--count_].data);
  }
  struct Piece {
    std::uint8_t* data = nullptr;
    std::size_t capacity = 0;
  };
  Piece take() noexcept {
    if (count_ == 0) return {};
    bytes_ -= pieces_[--count_].capacity;
    return pieces_[count_];
  }
  void give(const Piece& p) noexcept {
    if (count_ == most || bytes_ + p.capacity > most_bytes) return std::free(p.data);
    bytes_ += p.capacity;
    pieces_[count_++] = p;
  }

 private:
  static constexpr std::size_t most = 16, most_bytes = 8u << 20;
  Piece pieces_[most];
  std::size_t count_ = 0, bytes_ = 0;
};
thread_local Spare spare;

}  // namespace

StreamBuffer::~StreamBuffer() { std::free(data_); }

bool StreamBuffer::make_room(std::size_t more) noexcept {
  if (!data_) {
    const Spare::Piece p = spare.take();
    data_ = p.data;
    capacity_ = p.capacity;
  }
  if (capacity_ - end_ >= more) return true;
  if (begin_ > 0 && begin_ >= size()) {  // moving costs no more than what was dropped
    std::memmove(data_, data_ + begin_, size());
    end_ -= begin_;
    begin_ = 0;
    if (capacity_ - end_ >= more) return true;
  }
  const std::size_t wanted = std::max(capacity_ * 2, end_ + more);
  auto* p = static_cast<std::uint8_t*>(std::realloc(data_, wanted));
  if (!p) return false;
  data_ = p;
  capacity_ = wanted;
  return true;
}

void StreamBuffer::mark(std::uint64_t offset, const Stamps& stamps, bool edges) noexcept {
  const std::size_t n = marks_.size() - first_mark_;
  if (n > 0) {
    Mark& last = marks_.back();
    if (last.stamps.carried == stamps.carried && last.stamps.now == stamps.now) return;
    if (n > 1 && (edges || n >= max_marks)) {
      last = {offset, stamps};
      return;
    }
  }
  marks_.push_back({offset, stamps});
}

bool StreamBuffer::append(std::uint64_t offset, Bytes b, const Stamps& stamps, bool edges) noexcept {
  if (b.empty()) return true;
  if (!make_room(b.size())) return false;
  if (empty()) offset_ = offset;
  mark(offset, stamps, edges);
  std::memcpy(data_ + end_, b.data(), b.size());
  end_ += b.size();
  return true;
}

void StreamBuffer::drop(std::size_t n) noexcept {
  begin_ += n;
  offset_ += n;
  if (begin_ < end_) {
    while (first_mark_ + 1 < marks_.size() && marks_[first_mark_ + 1].offset <= offset_) ++first_mark_;
    if (first_mark_ > 64 && first_mark_ > marks_.size() / 2) {
      marks_.erase(marks_.begin(), marks_.begin() + static_cast<std::ptrdiff_t>(first_mark_));
      first_mark_ = 0;
    }
    return;
  }
  begin_ = end_ = 0;
  marks_.clear();
  first_mark_ = 0;
  if (data_) spare.give({data_, capacity_});
  data_ = nullptr;
  capacity_ = 0;
  if (marks_.capacity() > 4096) marks_ = {};
}

const Stamps& StreamBuffer::stamps(std::uint64_t offset) const noexcept {
  const auto from = marks_.begin() + static_cast<std::ptrdiff_t>(first_mark_);
  const auto after =
      std::upper_bound(from, marks_.end(), offset, [](std::uint64_t o, const Mark& m) { return o < m.offset; });
  return std::prev(after == from ? after + 1 : after)->stamps;
}

}  // namespace kparse::frame
