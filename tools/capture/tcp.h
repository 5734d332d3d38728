// SPDX-License-Identifier: MIT
// TCP: segments to connections, and to the bytes of each direction in order.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "capture/conn.h"
#include "capture/large_heap.h"
#include "capture/segment.h"
#include "kparse/bytes.h"
#include "kparse/stamp.h"
#include "kparse/transport_events.h"

namespace kparse::capture {

enum class CloseReason : std::uint8_t {
  fin,  ///< both directions ended
  reset,
  reused,   ///< a new connection has the same addresses and ports
  evicted,  ///< the table was full and this one idle longest
  capture_end,
};

/// Told what happens on connections. Everything about one direction comes in stream order, without overlap: data and
/// gaps tile it from offset 0. Between the directions the order is causal: bytes come after all that their sender had
/// acknowledged by then, so an answer never precedes its question, even where the capture has them the wrong way round.
class StreamHandler {
 public:
  virtual ~StreamHandler() = default;
  /// Is on_segment wanted? Asked once, before the first packet.
  [[nodiscard]] virtual bool wants_segments() const noexcept { return false; }
  /// Each segment of an open connection, before anything that it brings about. Strays aren't told of.
  virtual void on_segment(Conn&, const SegmentSeen&) {}
  virtual void on_open(Conn&, const Stamp&) {}
  /// `direction` sent the SYN. At most once, before its data in all but odd cases.
  virtual void on_syn(Conn&, int /*direction*/, const Stamp&) {}
  /// The other direction's SYN was seen, and nothing tells where this one begins: offset 0 is the first byte seen.
  virtual void on_begin_missed(Conn&, int /*direction*/) {}
  /// Bytes of one packet: `carried` is that packet, `now` the one with which they were complete up to here (a later
  /// one if they waited for a hole to fill; for bytes behind a lost hole their own). The view ends with the call.
  virtual void on_data(Conn&, int /*direction*/, std::uint64_t /*offset*/, Bytes, const Stamp& /*carried*/,
                       const Stamp& /*now*/) {}
  /// `bytes` that the capture lacks: `cut` by the snapshot length, else lost. `shown` is the first packet that tells of
  /// them, `now` the one at which waiting for them ended.
  virtual void on_gap(Conn&, int /*direction*/, std::uint64_t /*offset*/, std::uint64_t /*bytes*/, bool /*cut*/,
                      const Stamp& /*shown*/, const Stamp& /*now*/) {}
  /// FIN: after the last byte.
  virtual void on_end(Conn&, int /*direction*/, const Stamp&) {}
  /// The last call for this connection.
  virtual void on_close(Conn&, CloseReason, const Stamp&) {}
};

struct TcpOptions {
  std::size_t max_connections = 1u << 20;  ///< live ones; past it the one idle longest is closed
  /// Of them, those that have carried no data: past it the oldest of these is closed, so that a flood of SYNs costs little.
  std::size_t max_silent = 1u << 16;
  std::size_t max_closed = 1u << 16;       ///< remembered, so that stragglers open no conversation
  std::size_t max_held = 64u << 20;        ///< bytes waiting for holes to fill, all connections together
  std::size_t max_held_direction = 16u << 20;
  /// A hole that the peer's ACK covers is given up after so many packets of the connection and so much time (or 16
  /// times the packets): captures have packets out of place.
  std::uint32_t wait_packets = 64;
  std::int64_t wait_ns = 20'000'000;
  /// A connection that was reset, or whose ends were seen but not all before them, is kept for so many TCP packets of
  /// the capture, for the same reason.
  std::uint32_t linger_packets = 1024;
};

struct TcpStats {
  std::uint64_t packets = 0;
  std::uint64_t duplicate_packets = 0;    ///< the same packet once more (seen on two interfaces or ports)
  std::uint64_t retransmitted_bytes = 0;  ///< came again, those of duplicate packets too
  std::uint64_t keepalives = 0;
  std::uint64_t conflicting_bytes = 0;  ///< of retransmissions that differ from the first copy, where that is known
  std::uint64_t late_bytes = 0;         ///< came after they had been given up as lost
  std::uint64_t lost_bytes = 0;
  std::uint64_t cut_bytes = 0;
  std::uint64_t stray_packets = 0;  ///< fit no connection's sequence numbers; ignored
  std::uint64_t evicted = 0;        ///< connections closed because the table was full
  std::uint64_t silent_evicted = 0;  ///< because too many had carried no data
  std::uint64_t held_limit = 0;     ///< times that a hole was given up because too much waited behind it
  std::uint64_t conversations = 0;
};

/// Not thread-safe. Memory: about 1 KiB a live connection, plus what is held, both bounded. In-order bytes are passed
/// on without copying. Nothing depends on wall-clock time.
class TcpTable {
 public:
  explicit TcpTable(StreamHandler& handler, TcpOptions options = {})
      : handler_(handler), options_(options), tells_segments_(handler.wants_segments()) {}
  ~TcpTable();
  TcpTable(const TcpTable&) = delete;
  TcpTable& operator=(const TcpTable&) = delete;

  void add(const Segment&, const Stamp&);
  /// The end of the capture: closes all connections, in order of their numbers.
  void finish();
  [[nodiscard]] const TcpStats& stats() const noexcept { return stats_; }
  [[nodiscard]] std::size_t live() const noexcept { return live_; }

 private:
  struct Reference {
    std::uint64_t due;
    Conn* conn;
    std::uint64_t number;  // a Conn is used again; the number tells
  };

  // tcp_table.cpp: which connection
  Conn& open(const ConnKey&, const Segment&, bool swapped);
  Conn& reopen(Conn&, const Segment&);
  void close(Conn&, CloseReason);
  void forget(Conn&);
  static bool silent(const Reference&) noexcept;
  void evict(Conn&);
  void evict_silent();
  void touch(Conn&);
  void unlink(Conn&);
  void linger(Conn&);
  void close_lingering();

  // tcp_track.cpp: what a segment's header says
  bool duplicate(Conn&, int d, const Segment&);
  bool begins_anew(const Conn&, int d) const;
  Conn* on_syn(Conn&, int d, const Segment&);
  void on_rst(Conn&, int d, const Segment&);
  void on_ack(Conn&, int d, const Segment&);
  bool stray(const Conn&, int d, const Segment&) const;
  bool straggler(const Conn&, int d, const Segment&) const;
  bool second_stray(Conn&, int d, const Segment&);
  void say_syn(Conn&, int d);

  // tcp_segments.cpp: each segment by itself
  void tell(Conn&, int d, const Segment&, bool duplicate);
  static bool sent_before(const Direction&, std::uint64_t from, std::uint64_t to);

  // tcp_stream.cpp: bytes in order
  void on_payload(Conn&, int d, const Segment&);
  void deliver(Conn&, int d, Bytes, const Moment& carried, bool waited);
  void cut(Conn&, int d, std::uint64_t end, const Moment&);
  void check_end(Conn&, int d);
  void hold(Conn&, int d, std::uint64_t at, Bytes, std::uint64_t wire, const Segment&);
  void retransmitted(Conn&, int d, std::uint64_t from, std::uint64_t to);
  void compare(Conn&, int d, const Segment&);

  // tcp_holes.cpp: waiting and giving up
  void drain(Conn&);
  void pop(Conn&, int d);
  bool causal(const Conn&, int d, const Held&) const;
  bool ready(Conn&, int d);
  bool expire(Conn&, int d);
  bool unlock(Conn&);
  bool give_up(Conn&);
  void settle(Conn&, int d);
  void lose(Conn&, int d, std::uint64_t end);
  std::uint64_t data_end(const Conn&, int d, std::uint64_t acked, bool over) const;
  bool ripe(const Conn&, const Moment&, std::int64_t wait_ns) const;
  void finish_streams(Conn&);

  StreamHandler& handler_;
  TcpOptions options_;
  const bool tells_segments_;
  TcpStats stats_;
  absl::flat_hash_map<ConnKey, Conn*> table_;
  std::vector<std::unique_ptr<Conn>> all_;
  std::vector<Conn*> free_;
  Conn* newest_ = nullptr;  // live ones by last packet
  Conn* oldest_ = nullptr;
  Conn* last_ = nullptr;  // had the last packet: the next is often its
  std::deque<Reference> lingering_, closed_, holders_;
  std::deque<Reference> silent_;  // in order of opening; entries of those that spoke since stay until they are in front
  std::size_t silent_count_ = 0;
  std::size_t live_ = 0, held_ = 0;
  LargeHeap heap_;
  std::uint64_t next_number_ = 0;
  Stamp now_;
};

}  // namespace kparse::capture
