// SPDX-License-Identifier: MIT
// Segments one by one, for those who ask how the network behaves.
#include <algorithm>

#include "capture/tcp.h"

namespace kparse::capture {
namespace {

constexpr std::uint64_t far = 64u << 20;  // an ACK so far off says nothing

struct SynOptions {
  std::uint16_t mss = 0;
  std::int8_t window_shift = -1;
};

/// RFC 9293, 3.1; window scale: RFC 7323, 2.2, at most 14.
SynOptions read_options(Bytes b) noexcept {
  SynOptions o;
  while (!b.empty() && b[0] != 0) {
    if (b[0] == 1) {
      b = b.subspan(1);
      continue;
    }
    if (b.size() < 2 || b[1] < 2 || b[1] > b.size()) break;
    if (b[0] == 2 && b[1] == 4) o.mss = load_be<std::uint16_t>(b.data() + 2);
    if (b[0] == 3 && b[1] == 3) o.window_shift = static_cast<std::int8_t>(std::min<std::uint8_t>(b[2], 14));
    b = b.subspan(b[1]);
  }
  return o;
}

}  // namespace

/// Are any of these bytes there already, passed on or waiting? What was given up as lost isn't.
bool TcpTable::sent_before(const Direction& me, std::uint64_t from, std::uint64_t to) {
  if (me.based && from < me.next) {
    const std::uint64_t end = std::min(to, me.next);
    std::uint64_t lost = 0;
    if (me.backlog) {
      for (const auto& [a, b] : me.backlog->lost) {
        if (std::max(a, from) < std::min(b, end)) lost += std::min(b, end) - std::max(a, from);
      }
    }
    if (lost < end - from) return true;
  }
  if (!me.holding()) return false;
  auto after = me.backlog->held.lower_bound(to);
  if (after == me.backlog->held.begin()) return false;
  const auto before = std::prev(after);
  return before->first + before->second.wire > from;
}

void TcpTable::tell(Conn& c, int d, const Segment& s, bool duplicate) {
  Direction& me = c.directions_[d];
  const Direction& peer = c.directions_[1 - d];
  const bool syn = s.has(Segment::syn);
  SegmentSeen e;
  e.at = now_;
  e.direction = d;
  e.flags = s.flags;
  e.duplicate = duplicate;
  e.length = s.wire_payload;
  e.captured = static_cast<std::uint32_t>(s.payload.size());
  e.stored = s.stored;
  e.missing = std::max(s.missing, e.length - std::min(e.length, e.captured));
  if (syn) {
    const SynOptions o = read_options(s.options);
    e.mss = o.mss;
    e.again = me.own_syn && !duplicate;
    me.own_syn = true;
    me.window_shift = o.window_shift;
  }
  // The scale holds where both SYNs offer one, and never in a SYN itself.
  const bool both = me.own_syn && peer.own_syn;
  const int shift = both && !syn && me.window_shift >= 0 && peer.window_shift >= 0 ? me.window_shift : 0;
  e.window_scaled = syn || both;
  e.window = std::uint32_t{s.window} << shift;
  if (me.known) {
    const std::uint64_t at = me.position(s.seq + (syn ? 1 : 0));
    e.placed = me.based && at >= me.origin;
    if (e.placed) e.offset = at - me.origin;
    const bool plain = (s.flags & (Segment::syn | Segment::fin | Segment::rst)) == 0;
    // A keep-alive takes the number before the next one, with or without a byte (RFC 9293, 3.8.4). One byte that was a
    // segment by itself and isn't acknowledged is sent again.
    const bool acked = me.acked_known && me.acked >= me.next;
    e.keepalive = plain && me.based && e.length <= 1 && at + 1 == me.next && (acked || at != me.told_from);
    if (e.length != 0 && !e.keepalive && !duplicate) me.told_from = at;
    if (!duplicate && !e.keepalive) {
      if (e.length != 0) e.again = e.again || sent_before(me, at, at + e.length);
      if (s.has(Segment::fin)) e.again = e.again || me.fin == at + e.length;
    }
  }
  if (s.has(Segment::ack) && peer.based && peer.distance(s.acknowledged) <= far) {
    const std::uint64_t at = peer.position(s.acknowledged);
    e.acknowledges = at >= peer.origin;
    if (e.acknowledges) e.acknowledged = std::min(at, peer.fin) - peer.origin;
  }
  handler_.on_segment(c, e);
}

}  // namespace kparse::capture
