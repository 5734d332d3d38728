// SPDX-License-Identifier: MIT
// What the headers of segments say: beginnings, ends, acknowledgements, and what doesn't belong.
#include <algorithm>

#include "capture/fingerprint.h"
#include "capture/tcp.h"

namespace kparse::capture {
namespace {

constexpr std::uint64_t far = 64u << 20;  // sequence numbers so far from all others are another connection's
constexpr std::uint64_t near = 1u << 20;
constexpr std::uint64_t reset_ahead = 16u << 20;  // a large window; what lies between may be lost
constexpr std::int64_t anew_ns = 1'000'000'000;   // a capture has nothing so far out of place

std::uint32_t gap_of(std::uint32_t a, std::uint32_t b) noexcept {
  const auto d = static_cast<std::int32_t>(a - b);
  return d < 0 ? 0u - static_cast<std::uint32_t>(d) : static_cast<std::uint32_t>(d);
}

}  // namespace

std::uint64_t Direction::distance(std::uint32_t seq) const noexcept {
  if (!known) return 0;
  const std::uint64_t at = position(seq);
  const std::uint64_t low = based ? std::min(next, high) : high;
  return at < low ? low - at : at > high ? at - high : 0;
}

bool TcpTable::duplicate(Conn& c, int d, const Segment& s) {
  Direction& me = c.directions_[d];
  Direction::Print p;
  p.time_ns = now_.time_ns;
  p.seq = s.seq;
  p.length = s.wire_payload;
  p.content = content_print(s.payload);
  const std::uint64_t all = packet_print(s, p.content);
  // With the same IP identification it is the same packet. Without one two can look the same without being it: repeated
  // ACKs do.
  const bool plain = s.wire_payload == 0 && (s.flags & (Segment::syn | Segment::fin)) == 0;
  const std::int64_t window = s.ip_id != 0 ? 10'000'000'000 : plain ? 5'000'000 : 100'000'000;
  for (std::size_t i = 0; i < Direction::recent; ++i) {
    if (me.whole_prints[i] != all) continue;
    const std::int64_t then = me.prints[i].time_ns;
    if (std::max(p.time_ns - then, then - p.time_ns) <= window) {
      ++stats_.duplicate_packets;
      stats_.retransmitted_bytes += s.wire_payload;
      return true;
    }
  }
  const std::size_t at = me.print_at++ % Direction::recent;
  me.whole_prints[at] = all;
  me.prints[at] = p;
  return false;
}

void TcpTable::say_syn(Conn& c, int d) {
  if (c.syn_from_ >= 0) return;
  c.syn_from_ = d;
  handler_.on_syn(c, d, now_);
}

/// A SYN with the number of the one before: nobody repeats it once the connection has ended, so a second later it begins
/// another one. Some makers of traffic always choose the same number. One that was refused may be tried again with it.
bool TcpTable::begins_anew(const Conn& c, int d) const {
  const Direction& me = c.directions_[d];
  const bool over = me.fin != Direction::none || c.directions_[1 - d].fin != Direction::none;
  if (me.packets == 0 || (!over && (!c.reset_ || c.silent_))) return false;
  const auto& before = me.prints[static_cast<std::uint8_t>(me.print_at - 2) % me.prints.size()];  // -1: this SYN
  return now_.time_ns - before.time_ns >= anew_ns;
}

/// The connection that the SYN belongs to; null: to none that matters.
Conn* TcpTable::on_syn(Conn& c, int d, const Segment& s) {
  Direction& me = c.directions_[d];
  Direction& peer = c.directions_[1 - d];
  const bool answer = s.has(Segment::ack);
  bool same = false, anew = false;
  if (me.syn) {
    anew = me.isn == s.seq && !answer && begins_anew(c, d);
    same = me.isn == s.seq && !anew;
    if (!same && answer && !c.closed_ && peer.syn && s.acknowledged == peer.isn + 1 && me.next == me.origin &&
        me.fin == Direction::none && !me.holding()) {  // a listener without memory (SYN cookies) chooses a new number for a repeated SYN
      me.syn = me.based = me.known = me.acked_known = false;
      me.own_first = Direction::none;
      me.own_high = 0;
      if (me.backlog) me.backlog->clear_marks();
      same = true;
    }
  } else if (me.known) {
    // Packets that followed this SYN came before it in the capture, if the numbers say so.
    std::uint64_t first = me.based ? me.origin : std::min(me.high, me.own_first);
    if (!me.based && me.acked_known) first = std::min(first, me.next);
    const auto ahead = static_cast<std::int32_t>(static_cast<std::uint32_t>(first) - (s.seq + 1));
    same = c.arrivals_ <= options_.wait_packets && ahead >= 0 && static_cast<std::uint64_t>(ahead) < near;
  } else {
    same = !c.closed_ && !(answer && peer.known && peer.distance(s.acknowledged) > near);
  }
  if (!same) {
    if (!anew && c.old_syn_[d] && c.old_isn_[d] == s.seq) return nullptr;  // of the connection before
    if (answer && !c.closed_ && peer.known && peer.distance(s.acknowledged) <= near) return nullptr;
    Conn& fresh = reopen(c, s);
    return on_syn(fresh, 0, s);
  }
  if (c.closed_ || (me.syn && !answer)) return &c;
  const bool was_based = me.based;
  me.syn = true;
  me.isn = s.seq;
  if (!was_based) {
    const std::uint64_t at = me.known ? me.position(s.seq + 1) : Direction::first_position(s.seq + 1);
    me.saw(at);
    me.origin = me.next = at;
    me.based = true;
    c.troubled_ = c.troubled_ || me.holding();
  }
  if (answer && !peer.based) {
    std::uint64_t at = peer.known ? peer.position(s.acknowledged) : Direction::first_position(s.acknowledged);
    if (peer.holding()) at = std::min(at, peer.backlog->held.begin()->first);
    peer.saw(at);
    peer.origin = peer.next = at;
    peer.based = peer.syn = true;
    peer.isn = s.acknowledged - 1;
    c.troubled_ = c.troubled_ || peer.holding();
  }
  say_syn(c, answer ? 1 - d : d);
  return &c;
}

void TcpTable::on_rst(Conn& c, int d, const Segment& s) {
  const Direction& me = c.directions_[d];
  const Direction& peer = c.directions_[1 - d];
  bool fits = false;
  if (me.known) {
    const std::uint64_t at = me.position(s.seq);
    const std::uint64_t low = me.based ? me.next : me.high;
    fits = at + 65536 >= (me.acked_known ? std::min(low, me.acked) : low) && at <= me.high + reset_ahead;
  }
  // The answer to a SYN has no number of its own.
  if (!fits && (!me.known || s.seq == 0)) {
    fits = s.has(Segment::ack) ? !peer.known || peer.distance(s.acknowledged) == 0 : !me.known;
  }
  if (!fits) {
    ++stats_.stray_packets;
    return;
  }
  if (tells_segments_) tell(c, d, s, false);
  if (s.has(Segment::ack)) on_ack(c, d, s);
  c.reset_ = true;
  linger(c);
  if (c.troubled_) drain(c);
}

void TcpTable::on_ack(Conn& c, int d, const Segment& s) {
  const Direction& me = c.directions_[d];
  Direction& x = c.directions_[1 - d];
  // The first ACK after a SYN: where its answer was lost, this tells how that side's numbers begin.
  if (!x.based && me.syn && s.seq == me.isn + 1 && !s.has(Segment::syn) && me.next == me.origin && me.packets <= 3) {
    std::uint64_t at = x.known ? x.position(s.acknowledged) : Direction::first_position(s.acknowledged);
    if (x.holding()) at = std::min(at, x.backlog->held.begin()->first);
    x.saw(at);
    x.origin = x.next = at;
    x.based = true;
    c.troubled_ = c.troubled_ || x.holding();
  }
  if (x.known && x.distance(s.acknowledged) > far) return;
  const std::uint64_t at = x.known ? x.position(s.acknowledged) : Direction::first_position(s.acknowledged);
  x.saw(at);
  if (!x.acked_known) {
    x.acked_known = true;
    x.acked = x.acked_before = at;
    if (!x.based) x.next = at;
  } else if (at > x.acked) {
    x.acked_before = x.acked;
    x.acked = at;
  }
  const std::uint64_t data = std::min(at, x.fin);
  if (x.based && x.packets != 0 && data > x.next) {
    Backlog& b = x.troubles();
    if (b.first_mark > 1024) {
      b.marks.erase(b.marks.begin(), b.marks.begin() + static_cast<std::ptrdiff_t>(b.first_mark));
      b.first_mark = 0;
    }
    if (b.first_mark == b.marks.size() || data > b.marks.back().acknowledged) {
      const Moment moment{now_, c.arrivals_};
      if (b.suspect.arrival == 0) b.suspect = moment;
      b.marks.push_back({data, moment});
    }
    c.troubled_ = true;
  }
}

bool TcpTable::stray(const Conn& c, int d, const Segment& s) const {
  const Direction& me = c.directions_[d];
  const Direction& peer = c.directions_[1 - d];
  if (!s.has(Segment::ack) || !peer.known || peer.distance(s.acknowledged) <= far) return false;
  return !me.known || me.distance(s.seq) > far;
}

/// Of the connection before this one, out of place in the capture? Only where this one's handshake shows that it is over.
bool TcpTable::straggler(const Conn& c, int d, const Segment& s) const {
  return c.old_known_[0] && c.old_known_[1] && c.directions_[0].syn && c.directions_[1].syn &&
         gap_of(s.seq, c.old_high_[d]) < near && gap_of(s.acknowledged, c.old_high_[1 - d]) < near;
}

/// One stray packet may be anything (nobody checks checksums here); two that fit one another are a connection whose SYN
/// wasn't captured.
bool TcpTable::second_stray(Conn& c, int d, const Segment& s) {
  const bool fits =
      c.stray_ && s.wire_payload != 0 &&
      (d == c.stray_direction_ ? gap_of(s.seq, c.stray_seq_) < near
                               : gap_of(s.seq, c.stray_ack_) < near && gap_of(s.acknowledged, c.stray_seq_) < near);
  c.stray_ = true;
  c.stray_direction_ = d;
  c.stray_seq_ = s.seq + s.wire_payload;
  c.stray_ack_ = s.acknowledged;
  return fits;
}

}  // namespace kparse::capture
