// SPDX-License-Identifier: GPL-2.0-or-later
#include "segment_order.h"

#include <algorithm>

namespace kparse::dissector {

namespace {

// A hole that the peer's ACK covers is given up after so many packets with data and so much time, since captures have
// packets out of place; any after `long_wait`, since the ACKs may be missing as well. The command waits longer (64 packets
// of any kind): it doesn't have to show what comes behind the hole in a packet of its own.
constexpr std::uint32_t wait_packets = 16, long_wait = 1024;
constexpr std::int64_t wait_ns = 20'000'000;
constexpr std::size_t most_held = 16u << 20;

}  // namespace

void SegmentOrder::begin_at(int direction, std::uint32_t seq) noexcept {
  streams_[direction].begun = true;
  streams_[direction].base = seq;
}

void SegmentOrder::join_late(int direction, std::uint32_t seq, std::uint32_t ack) noexcept {
  streams_[direction].late = offset_of(direction, seq) > 0;
  streams_[1 - direction].late = offset_of(1 - direction, ack) > 0;
}

void SegmentOrder::ends_at(int direction, std::uint32_t seq) noexcept {
  streams_[direction].ended = true;
  streams_[direction].fin = seq;
}

std::int64_t SegmentOrder::offset_of(int direction, std::uint32_t seq) const noexcept {
  const Stream& s = streams_[direction];
  if (!s.begun) return 0;
  const auto expected = static_cast<std::uint32_t>(s.base + s.next);
  return static_cast<std::int64_t>(s.next) + static_cast<std::int32_t>(seq - expected);
}

bool SegmentOrder::answers_what_is_missing(int direction, std::uint32_t ack) const noexcept {
  const Stream& other = streams_[1 - direction];
  // A FIN counts as one byte.
  return other.begun && !other.late && offset_of(1 - direction, ack) > static_cast<std::int64_t>(other.next) + 1;
}

void SegmentOrder::hold(int direction, std::uint64_t offset, const Segment& segment) {
  Stream& s = streams_[direction];
  if (s.held.empty()) {
    s.waited = 0;
    s.since_ns = segment.stamp.time_ns;
  }
  Held& h = s.held[offset];
  if (h.wire >= segment.wire) return;
  s.held_bytes += segment.bytes.size() - h.bytes.size();
  h.bytes.assign(segment.bytes.begin(), segment.bytes.end());
  h.wire = segment.wire;
  h.ack = segment.ack;
  h.stamp = segment.stamp;
}

SegmentOrder::Got SegmentOrder::add(int direction, const Segment& segment) {
  Stream& s = streams_[direction];
  if (!s.begun) begin_at(direction, segment.seq);
  const std::int64_t at = offset_of(direction, segment.seq);
  if (s.late && at > static_cast<std::int64_t>(s.next)) s.next = static_cast<std::uint64_t>(at);
  s.late = false;
  s.any = true;
  if (at + segment.wire <= static_cast<std::int64_t>(s.next)) return Got::old;
  if (at > static_cast<std::int64_t>(s.next)) {
    hold(direction, static_cast<std::uint64_t>(at), segment);
    return Got::early;
  }
  const auto skip = static_cast<std::uint32_t>(static_cast<std::int64_t>(s.next) - at);
  Segment rest = segment;
  rest.bytes = segment.bytes.subspan(std::min<std::size_t>(skip, segment.bytes.size()));
  rest.wire -= skip;
  if (answers_what_is_missing(direction, segment.ack)) {
    hold(direction, s.next, rest);
    return Got::early;
  }
  deliver(direction, rest.bytes, rest.wire, segment.stamp, segment.stamp);
  release(segment.stamp);
  return Got::in_order;
}

void SegmentOrder::deliver(int direction, Bytes bytes, std::uint32_t wire, Stamp carried, Stamp now) {
  const std::uint64_t offset = streams_[direction].next;
  streams_[direction].next = offset + wire;
  if (!bytes.empty()) to_.on_bytes(direction, offset, bytes, carried, now);
  if (bytes.size() < wire)
    to_.on_missing(direction, offset + bytes.size(), wire - bytes.size(), true, carried, now);
}

/// The first of what waits, which begins at or before the next byte.
void SegmentOrder::deliver_held(int direction, Stamp now) {
  Stream& s = streams_[direction];
  auto node = s.held.extract(s.held.begin());
  const Held& h = node.mapped();
  s.held_bytes -= h.bytes.size();
  s.waited = 0;
  s.since_ns = h.stamp.time_ns;
  const std::uint64_t skip = s.next - node.key();
  if (skip < h.wire)
    deliver(direction, Bytes(h.bytes).subspan(std::min<std::size_t>(skip, h.bytes.size())),
            h.wire - static_cast<std::uint32_t>(skip), h.stamp, now.packet > 0 ? now : h.stamp);
}

/// All whose turn it is, in both directions.
void SegmentOrder::release(Stamp now) {
  for (bool any = true; any;) {
    any = false;
    for (int d : {0, 1}) {
      Stream& s = streams_[d];
      while (!s.held.empty() && s.held.begin()->first <= s.next &&
             !answers_what_is_missing(d, s.held.begin()->second.ack)) {
        deliver_held(d, now);
        any = true;
      }
    }
  }
}

/// Ends the wait of a direction for what goes before its first held bytes: they come, and what follows them.
void SegmentOrder::give_up(int direction, Stamp now) {
  Stream& s = streams_[direction];
  if (const std::uint64_t from = s.next, to = s.held.begin()->first; to > from) {
    s.next = to;
    to_.on_missing(direction, from, to - from, false, s.held.begin()->second.stamp, now);
  } else {
    // It waits for bytes of the other direction that its sender has acknowledged: they were never captured. A capture of
    // one direction has none of the other's.
    Stream& other = streams_[1 - direction];
    if (!other.held.empty() && other.held.begin()->first > other.next) return give_up(1 - direction, now);
    const Held& first = s.held.begin()->second;
    const std::uint64_t missing = other.next;
    const std::uint32_t acked = other.ended && first.ack == other.fin + 1 ? other.fin : first.ack;
    if (!other.any) {
      other.late = true;
    } else if (const std::int64_t end = offset_of(1 - direction, acked); end > static_cast<std::int64_t>(missing)) {
      other.next = static_cast<std::uint64_t>(end);
      to_.on_missing(1 - direction, missing, other.next - missing, false, first.stamp, now);
    }
  }
  deliver_held(direction, {});
  release({});
}

void SegmentOrder::check(Stamp now, const bool (&known)[2], const std::uint32_t (&acked)[2]) {
  for (int d : {0, 1}) {
    Stream& s = streams_[d];
    if (s.held.empty()) continue;
    ++s.waited;
    while (!s.held.empty() && s.held_bytes > most_held) give_up(d, now);
    if (s.held.empty()) continue;
    const bool needless = s.held.begin()->first <= s.next ||  // only what the other direction lacks holds it back
                          (known[d] && offset_of(d, acked[d]) >= static_cast<std::int64_t>(s.held.begin()->first));
    if (s.waited > long_wait || (needless && s.waited > wait_packets && now.time_ns - s.since_ns > wait_ns))
      give_up(d, now);
  }
}

void SegmentOrder::finish(Stamp now) {
  for (int d : {0, 1})
    while (!streams_[d].held.empty()) give_up(d, now);
}

}  // namespace kparse::dissector
