// SPDX-License-Identifier: MIT
// Finds the next frame in bytes whose place is unknown: after a gap, at a start in mid-stream, among foreign bytes.
// Decided by the bytes alone, never by how they were cut into packets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kparse/framer.h"
#include "kparse/tracker.h"

namespace kparse::frame {

/// Bounds the work on candidates that fail: bytes looked at may not exceed what came by more than this factor.
class Budget {
 public:
  void earn(std::size_t bytes) noexcept { left_ += static_cast<std::int64_t>(bytes) * 32; }
  /// False: too much was spent on what came to nothing. What costs little may always be tried.
  [[nodiscard]] bool spend(std::size_t bytes) noexcept {
    if (left_ < 0 && bytes > 1024) return false;
    left_ -= static_cast<std::int64_t>(bytes);
    return true;
  }

 private:
  std::int64_t left_ = 4 << 20;
};

/// When to look again at a candidate of which `have` bytes are there: often while that is cheap, then at growing steps.
[[nodiscard]] constexpr std::size_t next_look(std::size_t have, std::size_t full) noexcept {
  const std::size_t next = have < 256 ? have + 1 : have + have / 4;
  return next < full ? next : full;
}

enum class Verdict : std::uint8_t { no, wait, yes };

/// How sure it is that a found request is one.
enum class Evidence : std::uint8_t { none, weak, strong };

/// The client's side: a strict request (PROTOCOL: size, key, version, client id, the whole body). A short one without a
/// client id must be followed by another.
class RequestSeeker {
 public:
  /// `client_id`: known from before, "" none. Answers as FramerHost::seek does. What can't begin a frame is dropped; a
  /// candidate that isn't whole yet stays at the front of the window.
  Sought seek(Bytes window, bool last, std::string_view client_id) noexcept;
  /// Of what was found last.
  [[nodiscard]] Evidence evidence() const noexcept { return evidence_; }
  [[nodiscard]] bool waiting() const noexcept { return need_ > 0; }

 private:
  Verdict judge(Bytes from, bool last, std::string_view client_id) noexcept;

  std::size_t need_ = 0;  ///< bytes that the candidate at the front of the window waits for
  std::size_t seen_ = 0;  ///< window size at the last call
  Budget budget_;
  Evidence evidence_ = Evidence::none;
};

/// The server's side: size and the correlation id of a request that waits, then that request's response layout, or a
/// frame of the same kind behind it. Looks back over the window when requests become known later than their answers.
class ResponseSeeker {
 public:
  /// What the window begins with: anything, the first bytes that were seen of the direction, or those behind a gap.
  /// Packets mostly begin with a frame, so that one right there needs less.
  enum class Edge : std::uint8_t { none, first, gap };
  /// `alone`: no client has been heard, so that three frames in a row must do.
  Sought seek(Bytes window, bool last, const Tracker&, bool alone, Edge) noexcept;
  /// Does a whole answer to an awaited request begin inside a frame that nobody asked for?
  [[nodiscard]] bool holds_answer(Bytes frame, const Tracker&) noexcept;

 private:
  Verdict judge(Bytes from, bool last, const Tracker&, Edge) noexcept;
  Verdict chain(Bytes from, bool last) noexcept;
  [[nodiscard]] bool tiled(Bytes window, std::int32_t newest_id) const noexcept;
  Sought found(Bytes window, std::size_t at) noexcept;

  std::size_t scanned_ = 0;  ///< bytes at the front of the window at which no frame begins, as far as is known
  std::size_t need_ = 0;     ///< window size that the candidate at scanned_ waits for
  std::size_t seen_ = 0;
  std::uint64_t requests_ = 0;  ///< Tracker::requests() at the last scan
  Budget budget_;
};

/// A response header that may stand behind one with this id: ids of neighbours aren't far apart.
[[nodiscard]] bool plausible_neighbour(Bytes from, std::int32_t id) noexcept;

/// From here on the Java client reserves ids for SASL; they restart at each authentication.
inline constexpr std::int32_t sasl_ids = 0x7ffffff8;

/// Can these 8 bytes be a response's size and correlation id?
[[nodiscard]] bool response_header(Bytes from) noexcept;

}  // namespace kparse::frame
