// SPDX-License-Identifier: MIT
#include "capture/window.h"

#include <cstring>

namespace kparse::capture {

const std::uint8_t* Window::fill(std::size_t n) {
  if (at_ != 0) {
    std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
    base_ += at_;
    end_ -= at_;
    at_ = 0;
  }
  while (end_ < n) {
    if (end_ == buffer_.size()) buffer_.resize(buffer_.size() * 2);
    const std::size_t got = from_->read(buffer_.data() + end_, buffer_.size() - end_);
    if (got == 0) return nullptr;
    end_ += got;
  }
  return buffer_.data();
}

bool Window::skip(std::uint64_t n) {
  while (n > end_ - at_) {
    n -= end_ - at_;
    at_ = end_;
    if (need(1) == nullptr) return false;
  }
  at_ += static_cast<std::size_t>(n);
  return true;
}

}  // namespace kparse::capture
