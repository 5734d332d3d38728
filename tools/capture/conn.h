// SPDX-License-Identifier: MIT
// One TCP connection and the state of its two directions.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "capture/endpoint.h"
#include "kparse/stamp.h"

namespace kparse::capture {

struct ConnKey {
  std::array<std::uint8_t, 40> bytes{};  // both addresses and ports, the lower endpoint first, then the IP version

  bool operator==(const ConnKey&) const = default;
  template <class H>
  friend H AbslHashValue(H h, const ConnKey& k) {
    return H::combine_contiguous(std::move(h), k.bytes.data(), k.bytes.size());
  }
};

/// A packet by its place in the connection.
struct Moment {
  Stamp stamp;
  std::uint64_t arrival = 0;  ///< counts the connection's packets from 1; 0: never
};

/// A piece of a segment that waits. Positions are 64-bit sequence numbers: the low half is the one on the wire.
struct Held {
  static constexpr std::size_t overhead = 160;  ///< about what the map's node and the buffer cost besides the bytes
  std::vector<std::uint8_t> data;
  std::uint64_t wire = 0;          ///< its length on the wire, at least data.size()
  std::uint64_t acknowledged = 0;  ///< position in the other direction that its sender had seen; 0: unknown
  Moment when;
  bool waited = false;  ///< for bytes of the other direction
};

/// What a direction needs only when something is out of place.
struct Backlog {
  std::map<std::uint64_t, Held> held;  ///< by position; no two overlap in what they have
  std::size_t bytes = 0;
  struct Mark {
    std::uint64_t acknowledged;
    Moment when;
  };
  std::vector<Mark> marks;  ///< ACKs beyond `next`, growing
  std::size_t first_mark = 0;
  std::uint64_t ripe = 0;                                     ///< up to here waiting is over
  Moment suspect;                                             ///< the first ACK beyond `next`
  std::vector<std::pair<std::uint64_t, std::uint64_t>> lost;  ///< the last few gaps

  void clear_marks() noexcept {
    marks.clear();
    first_mark = 0;
    ripe = 0;
    suspect = {};
  }
};

struct Direction {
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  struct Print {  ///< of a recent packet
    std::int64_t time_ns = 0;
    std::uint32_t seq = 0, length = 0;
    std::uint64_t content = 0;
  };

  bool known = false;  ///< `high` is set: some sequence number of this direction has been seen
  bool based = false;  ///< `origin` and `next` are set: it is known where the stream begins
  bool syn = false;
  bool acked_known = false;
  bool ended = false;  ///< FIN passed on
  bool own_syn = false;            ///< its SYN was told of (StreamHandler::wants_segments)
  std::int8_t window_shift = -1;   ///< of that SYN; -1: it has no such option
  std::uint64_t told_from = none;  ///< where the newest data segment told of begins, keep-alives aside
  std::uint8_t print_at = 0;
  std::uint32_t isn = 0;
  std::uint64_t origin = 0;  ///< position of offset 0
  std::uint64_t next = 0;    ///< position of the next byte to pass on; not based: the first that the peer acknowledged
  std::uint64_t high = 0;    ///< highest position seen
  std::uint64_t acked = 0, acked_before = 0;
  std::uint64_t own_first = none;  ///< lowest number in its own packets, while not based
  std::uint64_t own_high = 0;      ///< highest
  std::uint64_t fin = none;
  std::uint64_t packets = 0, last_arrival = 0;
  Moment run;  ///< the packet that completed what was passed on last
  std::unique_ptr<Backlog> backlog;
  static constexpr std::size_t recent = 8;
  std::array<std::uint64_t, recent> whole_prints{};  ///< apart from the rest: all are looked at for each packet
  std::array<Print, recent> prints;

  [[nodiscard]] std::uint64_t position(std::uint32_t seq) const noexcept {
    const std::uint64_t near = based ? next : high;
    return near + static_cast<std::uint64_t>(
                      static_cast<std::int64_t>(static_cast<std::int32_t>(seq - static_cast<std::uint32_t>(near))));
  }
  static std::uint64_t first_position(std::uint32_t seq) noexcept { return (std::uint64_t{1} << 32) + seq; }
  /// How far `seq` is from anything seen.
  [[nodiscard]] std::uint64_t distance(std::uint32_t seq) const noexcept;
  Backlog& troubles() {
    if (!backlog) backlog = std::make_unique<Backlog>();
    return *backlog;
  }
  [[nodiscard]] bool holding() const noexcept { return backlog && !backlog->held.empty(); }
  /// Its own packet begins at `from` and ends at `to`.
  void sent(std::uint64_t from, std::uint64_t to) noexcept {
    saw(to);
    if (!based && (own_first == none || from < own_first)) own_first = from;
    if (to > own_high) own_high = to;
  }
  void saw(std::uint64_t position) noexcept {
    high = known ? (position > high ? position : high) : position;
    known = true;
  }
};

class Conn {
 public:
  /// From 0, in order of the connections' first packets.
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
  /// Direction 0 is the one of the first packet seen.
  [[nodiscard]] const Endpoint& sender(int direction) const noexcept { return ends_[direction]; }
  /// Packets seen of that direction, with or without payload.
  [[nodiscard]] std::uint64_t packets(int direction) const noexcept { return directions_[direction].packets; }
  /// Who sent the SYN; -1: not seen.
  [[nodiscard]] int syn_from() const noexcept { return syn_from_; }
  [[nodiscard]] const Stamp& first() const noexcept { return first_; }

  std::uint64_t user = 0;  ///< the handler's

 private:
  friend class TcpTable;
  std::uint64_t number_ = 0;
  ConnKey key_;
  std::array<Endpoint, 2> ends_;
  Stamp first_;
  int syn_from_ = -1;
  bool closed_ = false, reset_ = false, troubled_ = false, holder_ = false, lingers_ = false;
  bool silent_ = true;    // no packet had data
  bool swapped_ = false;  // direction 0 comes from the higher endpoint of the key
  bool stray_ = false;
  int stray_direction_ = 0;
  std::uint32_t stray_seq_ = 0, stray_ack_ = 0;
  std::uint32_t old_isn_[2] = {0, 0}, old_high_[2] = {0, 0};  // of the connection before this one
  bool old_syn_[2] = {false, false}, old_known_[2] = {false, false};
  std::uint64_t arrivals_ = 0;
  std::array<Direction, 2> directions_;
  Conn* newer_ = nullptr;
  Conn* older_ = nullptr;
};

}  // namespace kparse::capture
