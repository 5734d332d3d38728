// SPDX-License-Identifier: MIT
// A handler of streams that sees whether data and gaps tile each of them.
#pragma once

#include <map>

#include "capture/tcp.h"
#include "targets.h"

namespace kparse::fuzz {

class Tiles final : public capture::StreamHandler {
 public:
  [[nodiscard]] bool wants_segments() const noexcept override { return true; }
  void on_open(capture::Conn& c, const Stamp&) override { KPARSE_HOLDS(open_.emplace(c.number(), Ends{}).second); }
  void on_data(capture::Conn& c, int direction, std::uint64_t offset, Bytes b, const Stamp&, const Stamp&) override {
    KPARSE_HOLDS(!b.empty());
    sum_ += b[0] + b[b.size() - 1];
    advance(c, direction, offset, b.size());
  }
  void on_gap(capture::Conn& c, int direction, std::uint64_t offset, std::uint64_t bytes, bool cut, const Stamp&, const Stamp&) override {
    KPARSE_HOLDS(bytes > 0);
    (cut ? cut_bytes : lost_bytes) += bytes;
    advance(c, direction, offset, bytes);
  }
  void on_end(capture::Conn& c, int direction, const Stamp&) override {
    Ends& e = of(c);
    KPARSE_HOLDS(!e.ended[direction]);
    e.ended[direction] = true;
  }
  void on_close(capture::Conn& c, capture::CloseReason, const Stamp&) override { KPARSE_HOLDS(open_.erase(c.number()) == 1); }
  void finish() const { KPARSE_HOLDS(open_.empty()); }

  std::uint64_t lost_bytes = 0, cut_bytes = 0;

 private:
  struct Ends {
    std::uint64_t at[2] = {};
    bool ended[2] = {};
  };
  Ends& of(const capture::Conn& c) {
    const auto it = open_.find(c.number());
    KPARSE_HOLDS(it != open_.end());
    return it->second;
  }
  void advance(const capture::Conn& c, int direction, std::uint64_t offset, std::uint64_t bytes) {
    Ends& e = of(c);
    KPARSE_HOLDS(!e.ended[direction] && e.at[direction] == offset);
    e.at[direction] += bytes;
  }

  std::map<std::uint64_t, Ends> open_;
  unsigned sum_ = 0;
};

}  // namespace kparse::fuzz
