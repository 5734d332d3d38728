// SPDX-License-Identifier: MIT
// What waits: for a hole to fill, or for what its sender had read. When it comes out, and when a hole is given up.
#include <algorithm>
#include <cstdlib>

#include "capture/tcp.h"

namespace kparse::capture {
namespace {

constexpr std::int64_t silent_ns = 1'000'000'000;  // for holes that nobody acknowledges: retransmissions take so long
constexpr std::size_t max_lost = 32;

}  // namespace

void TcpTable::drain(Conn& c) {
  for (;;) {
    const bool r[2] = {ready(c, 0), ready(c, 1)};
    if (r[0] || r[1]) {
      int d = r[1] ? 1 : 0;
      if (r[0] && r[1]) {  // in the order of the capture
        d = c.directions_[0].backlog->held.begin()->second.when.arrival <
                    c.directions_[1].backlog->held.begin()->second.when.arrival
                ? 0
                : 1;
      }
      pop(c, d);
      continue;
    }
    check_end(c, 0);
    check_end(c, 1);
    if (unlock(c) || expire(c, 0) || expire(c, 1)) continue;
    break;
  }
  c.troubled_ = false;
  for (const Direction& d : c.directions_) {
    if (d.backlog && (!d.backlog->held.empty() || d.backlog->first_mark < d.backlog->marks.size())) c.troubled_ = true;
  }
}

bool TcpTable::ready(Conn& c, int d) {
  Direction& me = c.directions_[d];
  if (!me.based || !me.holding()) return false;
  auto& [at, head] = *me.backlog->held.begin();
  if (at > me.next) return false;
  if (at + head.wire <= me.next || causal(c, d, head)) return true;
  head.waited = true;
  return false;
}

/// Has everything that the sender of `h` had acknowledged come out?
bool TcpTable::causal(const Conn& c, int d, const Held& h) const {
  const Direction& peer = c.directions_[1 - d];
  if (h.acknowledged == 0 || peer.packets == 0 || peer.ended) return true;
  const std::uint64_t need = std::min(h.acknowledged, peer.fin);
  // One more may be the place of a FIN that wasn't captured.
  if (peer.based) return need <= peer.next + 1;
  return !peer.holding() || need <= peer.backlog->held.begin()->first + 1;
}

/// Passes the first held piece of direction d on, as far as it is new.
void TcpTable::pop(Conn& c, int d) {
  Direction& me = c.directions_[d];
  Backlog& b = *me.backlog;
  auto node = b.held.extract(b.held.begin());
  const std::uint64_t at = node.key(), end = at + node.mapped().wire;
  Held& h = node.mapped();
  const std::size_t size = h.data.size() + Held::overhead;
  b.bytes -= size;
  held_ -= size;
  const std::uint64_t old = me.next - at;
  if (old != 0) retransmitted(c, d, at, std::min(me.next, end));
  if (end <= me.next) return;
  const Bytes data(h.data);
  deliver(c, d, data.subspan(std::min<std::size_t>(data.size(), old)), h.when, h.waited);
  if (end > me.next) cut(c, d, end, h.when);
  while (b.first_mark < b.marks.size() && b.marks[b.first_mark].acknowledged <= me.next) ++b.first_mark;
  b.suspect = b.first_mark < b.marks.size() ? b.marks[b.first_mark].when : Moment{};
}

/// Both directions wait for one another: the capture contradicts itself, the earlier packet goes first.
bool TcpTable::unlock(Conn& c) {
  Direction& a = c.directions_[0];
  Direction& b = c.directions_[1];
  if (!a.based || !b.based || !a.holding() || !b.holding()) return false;
  const auto& [at, x] = *a.backlog->held.begin();
  const auto& [bt, y] = *b.backlog->held.begin();
  if (at > a.next || bt > b.next) return false;
  pop(c, x.when.arrival < y.when.arrival ? 0 : 1);
  return true;
}

bool TcpTable::ripe(const Conn& c, const Moment& m, std::int64_t wait_ns) const {
  const std::uint64_t packets = c.arrivals_ - m.arrival;
  return packets >= options_.wait_packets &&
         (std::abs(now_.time_ns - m.stamp.time_ns) >= wait_ns || packets >= std::uint64_t{16} * options_.wait_packets);
}

/// Where the data ends that `acked` tells of, when nothing came after it: the last place may be that of a FIN.
std::uint64_t TcpTable::data_end(const Conn& c, int d, std::uint64_t acked, bool over) const {
  const Direction& me = c.directions_[d];
  const Direction& peer = c.directions_[1 - d];
  if (me.fin != Direction::none) return std::min(acked, me.fin);
  if (acked < me.acked) return acked;  // not the last one, so no FIN
  // Numbers beyond its own last byte say that the other side has ended, too.
  const bool closing = peer.fin != Direction::none || c.reset_ || (over && peer.based && peer.own_high > peer.next);
  const bool step = acked == me.acked && me.acked == me.acked_before + 1;
  return closing || step || acked == me.next + 1 ? acked - 1 : acked;
}

/// Gives up what has been waited for long enough.
bool TcpTable::expire(Conn& c, int d) {
  Direction& me = c.directions_[d];
  if (!me.backlog) return false;
  Backlog& b = *me.backlog;
  if (!me.based) {
    if (b.held.empty()) return false;
    if (!ripe(c, b.held.begin()->second.when, options_.wait_ns)) return false;
    settle(c, d);
    if (b.held.begin()->first > me.next) lose(c, d, b.held.begin()->first);
    return true;
  }
  while (b.first_mark < b.marks.size() && ripe(c, b.marks[b.first_mark].when, options_.wait_ns)) {
    b.ripe = std::max(b.ripe, b.marks[b.first_mark].acknowledged);
    ++b.first_mark;
  }
  if (b.ripe > me.next) {
    const std::uint64_t end = b.held.empty() ? data_end(c, d, b.ripe, false) : std::min(b.ripe, b.held.begin()->first);
    if (end > me.next) {
      lose(c, d, end);
      return true;
    }
  }
  if (b.held.empty() || b.held.begin()->first <= me.next) return false;
  // The other side isn't in the capture, or doesn't speak any more.
  const Moment& behind = b.held.begin()->second.when;
  const Direction& peer = c.directions_[1 - d];
  if (peer.last_arrival > behind.arrival || !ripe(c, behind, silent_ns)) return false;
  lose(c, d, b.held.begin()->first);
  return true;
}

/// The stream begins with the lowest number that its own packets have: what they left out was sent during the capture.
void TcpTable::settle(Conn& c, int d) {
  Direction& me = c.directions_[d];
  const std::uint64_t first = me.holding() ? me.backlog->held.begin()->first : std::min(me.fin, me.own_first);
  me.origin = std::min(first, me.own_first);
  if (me.origin + 1 == first) me.origin = first;  // a keep-alive has the number before
  me.next = me.origin;
  me.based = true;
  if (me.backlog) me.backlog->clear_marks();
  if (c.syn_from_ >= 0) handler_.on_begin_missed(c, d);
}

void TcpTable::lose(Conn& c, int d, std::uint64_t end) {
  Direction& me = c.directions_[d];
  const std::uint64_t at = me.next;
  me.next = end;
  me.run = {};
  stats_.lost_bytes += end - at;
  Moment shown{now_, c.arrivals_};
  if (me.backlog) {
    Backlog& b = *me.backlog;
    if (b.suspect.arrival != 0) shown = b.suspect;
    if (!b.held.empty()) {
      const Moment& behind = b.held.begin()->second.when;
      if (behind.arrival < shown.arrival) shown = behind;
    }
    b.suspect = b.first_mark < b.marks.size() ? b.marks[b.first_mark].when : Moment{};
    if (b.lost.size() == max_lost) b.lost.erase(b.lost.begin());
    if (!b.lost.empty() && b.lost.back().second == at) {
      b.lost.back().second = end;
    } else {
      b.lost.emplace_back(at, end);
    }
  }
  handler_.on_gap(c, d, at - me.origin, end - at, false, shown.stamp, now_);
}

/// Without waiting any longer: one step that lets something out. False: nothing is held.
bool TcpTable::give_up(Conn& c) {
  int d = -1;
  for (int i = 0; i < 2; ++i) {
    if (!c.directions_[i].holding()) continue;
    if (d < 0 || c.directions_[i].backlog->held.begin()->second.when.arrival <
                     c.directions_[d].backlog->held.begin()->second.when.arrival) {
      d = i;
    }
  }
  if (d < 0) return false;
  Direction& me = c.directions_[d];
  Direction& peer = c.directions_[1 - d];
  if (!me.based) {
    settle(c, d);
    return true;
  }
  const auto& [at, head] = *me.backlog->held.begin();
  if (at > me.next) {
    lose(c, d, at);
    return true;
  }
  if (!causal(c, d, head)) {
    if (!peer.based) {
      settle(c, 1 - d);
      return true;
    }
    // It waits for bytes of the other side that aren't there: those are what is lost.
    std::uint64_t end = std::min(head.acknowledged, peer.fin);
    end = peer.holding() ? std::min(end, peer.backlog->held.begin()->first) : data_end(c, 1 - d, end, true);
    if (end > peer.next) {
      lose(c, 1 - d, end);
      return true;
    }
  }
  pop(c, d);
  return true;
}

/// The connection is over: everything comes out, and what must have existed at the ends is told.
void TcpTable::finish_streams(Conn& c) {
  do {
    drain(c);
  } while (give_up(c));
  for (int d = 0; d < 2; ++d) {
    Direction& me = c.directions_[d];
    if (!me.based && me.packets == 0 && me.acked_known) {
      me.origin = me.next;  // only its ACKs were seen: from the first to the last of them there were bytes
      me.based = true;
    }
    if (!me.based && me.packets != 0 && (me.fin != Direction::none || me.acked > me.own_first + 1)) settle(c, d);
    if (!me.based) continue;
    std::uint64_t end = me.acked_known && me.acked > me.next ? data_end(c, d, me.acked, true) : me.next;
    if (me.fin != Direction::none) end = std::max(me.next, me.fin);
    if (end > me.next) lose(c, d, end);
    check_end(c, d);
  }
}

}  // namespace kparse::capture
