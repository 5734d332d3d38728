// SPDX-License-Identifier: MIT
// Responses that came before their request, as captures have them when packets were recorded out of order or the
// request's direction waits for a lost segment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "kparse/connection.h"

namespace kparse::frame {

class HeldFrames {
 public:
  [[nodiscard]] bool empty() const noexcept { return frames_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return frames_.size(); }
  /// Past these bounds it is time to let the oldest go without its request. Where requests are captured at all, a segment
  /// of theirs may be late by as long as TCP tries to send it again.
  [[nodiscard]] bool full(std::int64_t now_ns, bool requests_heard) const noexcept {
    const std::int64_t patience_ns = requests_heard ? 60'000'000'000 : 1'000'000'000;
    return frames_.size() > 64 || bytes_ > (1u << 20) ||
           (!frames_.empty() && now_ns - frames_.front().frame.completed.time_ns > patience_ns);
  }
  void push(const Frame& f) {
    frames_.push_back({f, {f.data.begin(), f.data.end()}});
    frames_.back().frame.data = frames_.back().data;
    bytes_ += f.data.size();
  }
  [[nodiscard]] const Frame& front() const noexcept { return frames_.front().frame; }
  void pop() {
    bytes_ -= frames_.front().data.size();
    frames_.pop_front();
  }
  /// Does any have this correlation id?
  [[nodiscard]] bool has(std::int32_t id) const noexcept {
    for (const Held& h : frames_)
      if (h.data.size() >= 4 && load_be<std::int32_t>(h.data.data()) == id) return true;
    return false;
  }

 private:
  struct Held {
    Frame frame;
    std::vector<std::uint8_t> data;
  };
  std::deque<Held> frames_;
  std::size_t bytes_ = 0;
};

}  // namespace kparse::frame
