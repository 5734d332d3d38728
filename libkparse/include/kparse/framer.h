// SPDX-License-Identifier: MIT
// One direction of a connection: stream bytes to frames. Knows sizes and places; what a frame means, and where the next
// one begins once the place is lost, it asks its host.
// Source: Kafka's NetworkReceive (int32 size, then size bytes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kparse/bytes.h"
#include "kparse/connection.h"
#include "kparse/extent.h"
#include "kparse/stamp.h"

namespace kparse {

/// Answer to "where does the next frame begin?".
struct Sought {
  std::size_t drop = 0;  ///< so many bytes of the window are of no use any more
  bool found = false;    ///< a frame begins after them
};

/// What a Framer asks and tells. All views live until the call returns.
class FramerHost {
 public:
  virtual ~FramerHost() = default;
  /// Can a frame begin like this? `begin`: the size field and up to 32 bytes after it, fewer only where the frame is
  /// shorter, the rest is lost, or the size is suspiciously large. False ends the framer's trust in its place.
  virtual bool plausible(Side, Bytes begin) noexcept = 0;
  /// The rest of a frame is lost, and it is long. Is `begin`, its size field and what is there after it, the beginning of a
  /// frame of that size? False where the size field must be wrong.
  virtual bool begins_frame(Side, Bytes begin) noexcept = 0;
  /// The place is unknown: look for a frame in `window`, which begins where the last answer left off (drop) and grows.
  /// `last`: no more bytes will follow these without a gap.
  virtual Sought seek(Side, Bytes window, bool last) noexcept = 0;
  /// False: the frame, which is whole, is none, since another begins inside it for sure.
  virtual bool on_frame(const Frame&) noexcept = 0;
  /// The frame at this place is none (plausible, begins_frame or on_frame said so); `rest` begins with its size field.
  virtual void on_lost_place(Side, Bytes rest, Stamp) noexcept = 0;
  /// A frame was found after `skipped` bytes of no use; 0 after a gap that ended where a frame begins.
  virtual void on_found_place(Side, std::uint64_t skipped, Stamp) noexcept = 0;
};

/// Not thread-safe. Memory: the frame that is not yet whole (as many bytes as came), or the window of a search, which
/// the host bounds by what it drops. Whole frames inside one piece are not copied; others are copied once.
class Framer {
 public:
  /// `offset`: of the first byte. `known`: a frame begins there; else the first one is sought.
  Framer(Side, FramerHost&, std::uint64_t offset, bool known, std::uint32_t max_frame);
  ~Framer();
  Framer(Framer&&) noexcept;
  Framer& operator=(Framer&&) noexcept;

  /// Bytes of the stream, in order. What was given before is left out; what is missing between counts as a gap.
  void data(std::uint64_t offset, Bytes, Stamp carried, Stamp now) noexcept;
  void gap(std::uint64_t offset, std::uint64_t bytes, bool cut, Stamp now, Extent = Extent::exact) noexcept;
  /// No more bytes: what is there of the last frame is handed on with error `cut`.
  void end(Stamp now) noexcept;
  /// A search is to end with what is there, though more bytes may come.
  void settle(Stamp now) noexcept;
  /// A search may succeed now, since the host has learnt something.
  void search_again(Stamp now) noexcept;

  [[nodiscard]] bool seeking() const noexcept;
  [[nodiscard]] std::uint64_t next_offset() const noexcept;
  /// Where the frame that plausible(), begins_frame() or on_frame() refused last would begin. For on_lost_place.
  [[nodiscard]] std::uint64_t lost_at() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> s_;
};

}  // namespace kparse
