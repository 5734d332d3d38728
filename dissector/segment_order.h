// SPDX-License-Identifier: GPL-2.0-or-later
// The segments of a TCP connection, put in order. Wireshark hands them on as the capture has them, and its own reordering
// stops for good at a segment that the capture lacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "kparse/bytes.h"
#include "kparse/stamp.h"

namespace kparse::dissector {

/// Told in stream order, without overlap: bytes and gaps tile each direction from where it begins.
class OrderedBytes {
 public:
  virtual ~OrderedBytes() = default;
  /// `carried`: the packet that has them; `now`: the one that made them complete up to here (for bytes behind a lost hole
  /// their own).
  virtual void on_bytes(int direction, std::uint64_t offset, Bytes, Stamp carried, Stamp now) noexcept = 0;
  virtual void on_missing(int direction, std::uint64_t offset, std::uint64_t bytes, bool cut, Stamp shown,
                          Stamp now) noexcept = 0;
};

/// Within a direction bytes come in order. Between the two the order is causal: bytes come after all that their sender had
/// acknowledged, so that an answer doesn't come before its question where the capture has them the wrong way round.
/// Memory: what waits, at most 16 MiB a direction; then the wait ends.
class SegmentOrder {
 public:
  struct Segment {
    std::uint32_t seq;  ///< of its first byte, as TCP counts
    std::uint32_t ack;  ///< what its sender has of the other direction
    Bytes bytes;        ///< captured
    std::uint32_t wire; ///< bytes on the wire; more than captured where the snapshot length cut it
    Stamp stamp;
  };
  enum class Got : std::uint8_t { in_order, early, old };

  explicit SegmentOrder(OrderedBytes& to) : to_(to) {}

  /// The first byte's number, where the SYN tells it: before the first segment.
  void begin_at(int direction, std::uint32_t seq) noexcept;
  /// The direction was captured, if only its SYN: what its receiver acknowledged and isn't there was lost.
  void heard(int direction) noexcept { streams_[direction].any = true; }
  /// The first segment to be added, which has this `seq` and `ack`, isn't the connection's first one: what went before it
  /// was never going to come, in either direction, so it isn't missing.
  void join_late(int direction, std::uint32_t seq, std::uint32_t ack) noexcept;
  /// The direction's FIN has this number: an ACK of it acknowledges one byte less.
  void ends_at(int direction, std::uint32_t seq) noexcept;
  /// Where a segment's first byte is in the stream: counts from the byte after the SYN, or from the first one seen.
  /// Negative: before that.
  [[nodiscard]] std::int64_t offset_of(int direction, std::uint32_t seq) const noexcept;
  /// The first byte that has not come yet; 0: none has.
  [[nodiscard]] std::uint64_t next(int direction) const noexcept { return streams_[direction].next; }

  Got add(int direction, const Segment&);
  /// Gives up what will hardly come any more. `acked`: up to where each direction is acknowledged, if `known`. Call after
  /// each segment of the connection.
  void check(Stamp now, const bool (&known)[2], const std::uint32_t (&acked)[2]);
  /// Waits for nothing any more.
  void finish(Stamp now);

 private:
  struct Held {
    std::vector<std::uint8_t> bytes;
    std::uint32_t wire;
    std::uint32_t ack;
    Stamp stamp;
  };
  struct Stream {
    bool begun = false;       // `base` is known
    bool late = false;        // see join_late
    bool any = false;         // a segment has come, or its SYN
    bool ended = false;       // `fin` is known
    std::uint32_t base = 0;   // sequence number of offset 0
    std::uint32_t fin = 0;
    std::uint64_t next = 0;
    std::map<std::uint64_t, Held> held;  // by offset
    std::size_t held_bytes = 0;
    std::uint32_t waited = 0;  // packets since something waits
    std::int64_t since_ns = 0;
  };
  /// Its sender had bytes of the other direction that have not come out yet.
  [[nodiscard]] bool answers_what_is_missing(int direction, std::uint32_t ack) const noexcept;
  void hold(int direction, std::uint64_t offset, const Segment&);
  void deliver(int direction, Bytes, std::uint32_t wire, Stamp carried, Stamp now);
  void deliver_held(int direction, Stamp now);
  void release(Stamp now);
  void give_up(int direction, Stamp now);

  OrderedBytes& to_;
  Stream streams_[2];
};

}  // namespace kparse::dissector
