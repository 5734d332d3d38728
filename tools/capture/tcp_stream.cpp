// SPDX-License-Identifier: MIT
// The bytes of a segment: passed on at once when in order, else kept.
#include <algorithm>

#include "capture/tcp.h"

namespace kparse::capture {
namespace {

constexpr std::uint64_t far = 64u << 20;  // an ACK so far off says nothing

}  // namespace

void TcpTable::on_payload(Conn& c, int d, const Segment& s) {
  Direction& me = c.directions_[d];
  const Direction& peer = c.directions_[1 - d];
  const std::uint32_t first = s.seq + (s.has(Segment::syn) ? 1 : 0);
  std::uint64_t at = me.known ? me.position(first) : Direction::first_position(first);
  std::uint64_t wire = s.wire_payload;
  Bytes data = s.payload;
  me.sent(at, at + wire);
  if (c.silent_ && wire != 0) {
    c.silent_ = false;
    --silent_count_;
  }
  // A FIN in front of bytes that were seen already contradicts them.
  if (s.has(Segment::fin) && me.fin == Direction::none && at + wire >= me.own_high && (!me.based || at + wire >= me.next))
    me.fin = at + wire;
  if (me.fin != Direction::none && at + wire > me.fin) {  // beyond the end there is nothing
    wire = me.fin > at ? me.fin - at : 0;
    data = data.first(std::min<std::size_t>(data.size(), wire));
  }
  if (!me.based) {  // in mid-stream the first packet may be out of place as well
    if (wire != 0) hold(c, d, at, data, wire, s);
    c.troubled_ = true;
    return;
  }
  if (wire == 0) {
    check_end(c, d);
    if (!me.ended) c.troubled_ = true;
    return;
  }
  if (at + wire <= me.next) {
    if (wire == 1 && at + 1 == me.next && s.wire_payload == 1) {
      ++stats_.keepalives;
    } else {
      compare(c, d, s);
      retransmitted(c, d, at, at + wire);
    }
    return;
  }
  if (at < me.next) {
    const std::uint64_t old = me.next - at;
    retransmitted(c, d, at, me.next);
    data = data.subspan(std::min<std::size_t>(data.size(), old));
    at += old;
    wire -= old;
  }
  if (at == me.next && me.backlog && me.backlog->first_mark < me.backlog->marks.size()) {
    // What an ACK told of does come: the capture has the two the wrong way round.
    me.backlog->clear_marks();
    if (const std::uint64_t told = std::min(me.acked, me.fin); told > at + wire) {
      me.backlog->suspect = {now_, c.arrivals_};
      me.backlog->marks.push_back({told, me.backlog->suspect});
      c.troubled_ = true;
    }
  }
  Held head;
  if (s.has(Segment::ack) && peer.known && peer.distance(s.acknowledged) <= far) {
    head.acknowledged = peer.position(s.acknowledged);
  }
  if (at == me.next && !me.holding() && causal(c, d, head)) {
    const Moment moment{now_, c.arrivals_};
    deliver(c, d, data, moment, false);
    if (data.size() < wire) cut(c, d, at + wire, moment);
    check_end(c, d);
    return;
  }
  hold(c, d, at, data, wire, s);
}

void TcpTable::deliver(Conn& c, int d, Bytes data, const Moment& carried, bool waited) {
  Direction& me = c.directions_[d];
  if (carried.arrival > me.run.arrival) me.run = carried;
  if (const Moment& other = c.directions_[1 - d].run; waited && other.arrival > me.run.arrival) me.run = other;
  if (data.empty()) return;
  const std::uint64_t at = me.next;
  me.next += data.size();
  handler_.on_data(c, d, at - me.origin, data, carried.stamp, me.run.stamp);
}

void TcpTable::cut(Conn& c, int d, std::uint64_t end, const Moment& carried) {
  Direction& me = c.directions_[d];
  if (me.holding()) end = std::min(end, std::max(me.next, me.backlog->held.begin()->first));  // another copy has more
  if (end <= me.next) return;
  const std::uint64_t at = me.next;
  me.next = end;
  stats_.cut_bytes += end - at;
  handler_.on_gap(c, d, at - me.origin, end - at, true, carried.stamp, me.run.stamp);
}

void TcpTable::check_end(Conn& c, int d) {
  Direction& me = c.directions_[d];
  if (me.ended || !me.based || me.next != me.fin) return;
  me.ended = true;
  handler_.on_end(c, d, me.run.arrival != 0 ? me.run.stamp : now_);
}

/// Bytes [from, to) came again, or too late.
void TcpTable::retransmitted(Conn& c, int d, std::uint64_t from, std::uint64_t to) {
  const Direction& me = c.directions_[d];
  std::uint64_t late = 0;
  if (me.backlog) {
    for (const auto& [a, b] : me.backlog->lost) {
      if (std::max(a, from) < std::min(b, to)) late += std::min(b, to) - std::max(a, from);
    }
  }
  late = std::min(late, to - from);
  stats_.late_bytes += late;
  stats_.retransmitted_bytes += to - from - late;
}

/// A retransmission of what is gone already: its hash tells whether it is the same, if the pieces are.
void TcpTable::compare(Conn& c, int d, const Segment& s) {
  const Direction& me = c.directions_[d];
  const auto& prints = me.prints;
  const Direction::Print& mine = prints[static_cast<std::uint8_t>(me.print_at - 1) % prints.size()];
  for (std::size_t i = 0; i < prints.size(); ++i) {
    const Direction::Print& p = prints[i];
    if (me.whole_prints[i] != 0 && p.seq == s.seq && p.length == s.wire_payload && p.content != mine.content) {
      stats_.conflicting_bytes += s.wire_payload;
      return;
    }
  }
}

/// Keeps what isn't held yet; of bytes that come twice the first copy counts.
void TcpTable::hold(Conn& c, int d, std::uint64_t at, Bytes data, std::uint64_t wire, const Segment& s) {
  Direction& me = c.directions_[d];
  const Direction& peer = c.directions_[1 - d];
  Backlog& b = me.troubles();
  Held piece;
  piece.when = {now_, c.arrivals_};
  if (s.has(Segment::ack) && peer.known && peer.distance(s.acknowledged) <= far) {
    piece.acknowledged = peer.position(s.acknowledged);
  }
  const std::uint64_t present_end = at + data.size(), wire_end = at + wire;
  std::uint64_t from = at;
  const auto put = [&](std::uint64_t to, std::uint64_t piece_wire) {
    const Bytes part = data.subspan(static_cast<std::size_t>(from - at), static_cast<std::size_t>(to - from));
    auto [it, fresh] = b.held.try_emplace(from, piece);
    if (!fresh) {  // there was a piece of which nothing had been captured
      it->second.wire = std::max(it->second.wire, piece_wire);
      if (!it->second.data.empty()) return;
    } else {
      it->second.wire = piece_wire;
      b.bytes += Held::overhead;
      held_ += Held::overhead;
    }
    it->second.data.assign(part.begin(), part.end());
    b.bytes += part.size();
    held_ += part.size();
  };
  if (data.empty()) put(at, wire);
  while (from < present_end) {
    auto after = b.held.upper_bound(from);
    if (after != b.held.begin()) {
      const auto before = std::prev(after);
      const std::uint64_t end = before->first + before->second.data.size();
      if (end > from) {
        const std::uint64_t to = std::min(end, present_end);
        stats_.retransmitted_bytes += to - from;
        const std::uint8_t* was = before->second.data.data() + (from - before->first);
        const std::uint8_t* now = data.data() + (from - at);
        for (std::uint64_t i = 0; i < to - from; ++i) stats_.conflicting_bytes += was[i] != now[i] ? 1 : 0;
        if (to == present_end && wire_end > present_end) {
          before->second.wire = std::max(before->second.wire, wire_end - before->first);
        }
        from = to;
        continue;
      }
    }
    const std::uint64_t to = after == b.held.end() ? present_end : std::min(present_end, after->first);
    put(to, to == present_end ? wire_end - from : to - from);
    from = to;
  }
  c.troubled_ = true;
  if (!c.holder_) {
    c.holder_ = true;
    holders_.push_back({0, &c, c.number_});
    if (holders_.size() > 2 * live_ + 1024) {
      std::erase_if(holders_, [](const Reference& r) { return r.conn->number_ != r.number || r.conn->closed_; });
    }
  }
  if (b.bytes > options_.max_held_direction) {
    ++stats_.held_limit;
    while (me.backlog->bytes > options_.max_held_direction / 2 && give_up(c)) drain(c);
  }
  while (held_ > options_.max_held && !holders_.empty()) {  // those go first that have waited longest
    const Reference r = holders_.front();
    holders_.pop_front();
    if (r.conn->number_ != r.number || r.conn->closed_) continue;
    r.conn->holder_ = false;
    if (!r.conn->directions_[0].holding() && !r.conn->directions_[1].holding()) continue;
    ++stats_.held_limit;
    do {
      drain(*r.conn);
    } while (give_up(*r.conn));
  }
}

}  // namespace kparse::capture
