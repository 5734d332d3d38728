// SPDX-License-Identifier: MIT
// Handshake messages out of records: a message may span records, a record may hold several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kparse/bytes.h"

namespace kparse::tls {

/// Memory: one message, up to 64 KiB; longer ones are skipped.
class HandshakeReader {
 public:
  static constexpr std::size_t max_message = 64u << 10;

  /// Calls `tell(type, message)` for each message that is whole; `message` begins with its header of 4 bytes.
  template <class Tell>
  void feed(Bytes b, const Tell& tell) {
    while (!b.empty()) {
      if (skip_ > 0) {
        const std::size_t n = b.size() < skip_ ? b.size() : skip_;
        skip_ -= n;
        b = b.subspan(n);
      } else if (buffer_.empty() && whole(b)) {
        const std::size_t n = size(b);
        const Bytes message = b.first(n);
        b = b.subspan(n);
        lost_ = false;
        tell(message[0], message);
      } else if (lost_) {
        return;  // the middle of a message whose beginning is missing
      } else {
        b = b.subspan(keep(b));
        if (buffer_.size() < 4) return;
        if (size(buffer_) > max_message) {
          skip_ = size(buffer_) - buffer_.size();
          buffer_ = {};
        } else if (whole(buffer_)) {
          const std::vector<std::uint8_t> message = std::move(buffer_);
          buffer_ = {};
          tell(message[0], Bytes(message));
        }
      }
    }
  }

  /// Bytes are missing: the next record may begin in the middle of a message.
  void lose() noexcept {
    buffer_ = {};
    skip_ = 0;
    lost_ = true;
  }
  [[nodiscard]] bool lost() const noexcept { return lost_; }

 private:
  static std::size_t size(Bytes b) noexcept { return 4 + (b[1] << 16 | b[2] << 8 | b[3]); }
  static bool whole(Bytes b) noexcept { return b.size() >= 4 && b.size() >= size(b); }

  /// What the message needs, as far as it is there.
  std::size_t keep(Bytes b) {
    const std::size_t have = buffer_.size();
    const std::size_t want = (have >= 4 ? size(buffer_) : 4) - have;
    const std::size_t n = b.size() < want ? b.size() : want;
    buffer_.insert(buffer_.end(), b.begin(), b.begin() + static_cast<std::ptrdiff_t>(n));
    return n;
  }

  std::vector<std::uint8_t> buffer_;
  std::size_t skip_ = 0;
  bool lost_ = false;
};

}  // namespace kparse::tls
