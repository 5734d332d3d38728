// SPDX-License-Identifier: MIT
#include <algorithm>

#include "capture/tcp.h"

namespace kparse::capture {
namespace {

/// True: source and destination change places in the key.
bool make_key(const Segment& s, ConnKey& key) {
  const int order = std::memcmp(s.source.ip.data(), s.destination.ip.data(), 16);
  const bool swapped = order > 0 || (order == 0 && s.source.port > s.destination.port);
  const Endpoint& low = swapped ? s.destination : s.source;
  const Endpoint& high = swapped ? s.source : s.destination;
  std::uint8_t* at = key.bytes.data();
  std::memcpy(at, low.ip.data(), 16);
  std::memcpy(at + 16, high.ip.data(), 16);
  std::memcpy(at + 32, &low.port, 2);
  std::memcpy(at + 34, &high.port, 2);
  at[36] = s.source.v6 ? 1 : 0;
  return swapped;
}

}  // namespace

TcpTable::~TcpTable() = default;

void TcpTable::add(const Segment& s, const Stamp& stamp) {
  now_ = stamp;
  ++stats_.packets;
  if (!lingering_.empty()) close_lingering();
  ConnKey key;
  const bool swapped = make_key(s, key);
  Conn* c = last_ != nullptr && last_->key_ == key ? last_ : nullptr;
  if (c == nullptr) {
    const auto at = table_.find(key);
    c = at != table_.end() ? at->second : &open(key, s, swapped);
  }
  int d = swapped != c->swapped_ ? 1 : 0;
  if (!c->closed_) {
    ++c->arrivals_;
    touch(*c);
  }
  if (duplicate(*c, d, s)) {
    if (tells_segments_ && !c->closed_) tell(*c, d, s, true);
    last_ = c;
    return;
  }
  bool strange = false;
  if (s.has(Segment::syn)) {
    Conn* now = on_syn(*c, d, s);
    if (now == nullptr) {
      ++stats_.stray_packets;
      last_ = c;
      return;
    }
    if (now != c) d = 0;
    c = now;
  } else if (!s.has(Segment::rst) && (strange = stray(*c, d, s)) && !straggler(*c, d, s) &&
             (c->closed_ || second_stray(*c, d, s))) {
    c = &reopen(*c, s);
    d = 0;
    strange = false;
  }
  last_ = c;
  Direction& me = c->directions_[d];
  if (c->closed_ || strange) {
    if (strange) ++stats_.stray_packets;
    if (c->closed_ && s.wire_payload != 0) stats_.retransmitted_bytes += s.wire_payload;
    return;
  }
  ++me.packets;
  me.last_arrival = c->arrivals_;
  if (s.has(Segment::rst)) {
    on_rst(*c, d, s);
    return;
  }
  if (tells_segments_) tell(*c, d, s, false);
  if (s.has(Segment::ack)) on_ack(*c, d, s);
  if (s.wire_payload != 0 || s.has(Segment::fin)) {
    on_payload(*c, d, s);
  } else if (!s.has(Segment::syn)) {
    const std::uint64_t at = me.known ? me.position(s.seq) : Direction::first_position(s.seq);
    me.sent(at, at);
  }
  if (c->troubled_) drain(*c);
  const Direction& peer = c->directions_[1 - d];
  if (me.fin == Direction::none || peer.fin == Direction::none) return;
  if (me.ended && peer.ended) {
    close(*c, CloseReason::fin);
  } else {
    linger(*c);
  }
}

Conn& TcpTable::open(const ConnKey& key, const Segment& s, bool swapped) {
  if (live_ >= options_.max_connections && oldest_ != nullptr) {
    ++stats_.evicted;
    evict(*oldest_);
  } else if (silent_count_ >= options_.max_silent) {
    ++stats_.silent_evicted;
    evict_silent();
  }
  Conn* c = nullptr;
  if (free_.empty()) {
    heap_.grow();
    c = all_.emplace_back(std::make_unique<Conn>()).get();
  } else {
    c = free_.back();
    free_.pop_back();
    *c = Conn();
  }
  c->number_ = next_number_++;
  c->key_ = key;
  c->ends_ = {s.source, s.destination};
  c->swapped_ = swapped;
  c->first_ = now_;
  table_[key] = c;
  ++live_;
  ++silent_count_;
  silent_.push_back({0, c, c->number_});
  if (silent_.size() > 4 * options_.max_silent) std::erase_if(silent_, [](const Reference& r) { return !silent(r); });
  ++stats_.conversations;
  touch(*c);
  handler_.on_open(*c, now_);
  return *c;
}

bool TcpTable::silent(const Reference& r) noexcept {
  return r.conn->number_ == r.number && !r.conn->closed_ && r.conn->silent_;
}

void TcpTable::evict(Conn& c) {
  close(c, CloseReason::evicted);
  forget(c);
}

/// There is one.
void TcpTable::evict_silent() {
  while (!silent(silent_.front())) silent_.pop_front();
  Conn& c = *silent_.front().conn;
  silent_.pop_front();
  evict(c);
}

/// The same addresses and ports, another connection.
Conn& TcpTable::reopen(Conn& old, const Segment& s) {
  const ConnKey key = old.key_;
  const bool swapped = old.ends_[0] == s.source ? old.swapped_ : !old.swapped_;
  const int first = swapped != old.swapped_ ? 1 : 0;
  const auto before = [&](int i) -> const Direction& { return old.directions_[first ^ i]; };
  const std::uint32_t isn[2] = {before(0).isn, before(1).isn};
  const std::uint32_t high[2] = {static_cast<std::uint32_t>(before(0).high), static_cast<std::uint32_t>(before(1).high)};
  const bool syn[2] = {before(0).syn, before(1).syn}, known[2] = {before(0).known, before(1).known};
  if (!old.closed_) close(old, CloseReason::reused);
  forget(old);
  Conn& c = open(key, s, swapped);
  for (int i = 0; i < 2; ++i) {
    c.old_isn_[i] = isn[i];
    c.old_high_[i] = high[i];
    c.old_syn_[i] = syn[i];
    c.old_known_[i] = known[i];
  }
  c.arrivals_ = 1;
  return c;
}

/// Everything that waits comes out, the handler hears the end; the entry stays for stragglers.
void TcpTable::close(Conn& c, CloseReason reason) {
  finish_streams(c);
  c.closed_ = true;
  handler_.on_close(c, reason, now_);
  for (Direction& d : c.directions_) d.backlog.reset();
  unlink(c);
  --live_;
  if (c.silent_) --silent_count_;
  closed_.push_back({0, &c, c.number_});
  while (closed_.size() > options_.max_closed) {
    const Reference r = closed_.front();
    closed_.pop_front();
    if (r.conn != &c && r.conn->number_ == r.number && r.conn->closed_) forget(*r.conn);
  }
}

void TcpTable::forget(Conn& c) {
  table_.erase(c.key_);
  if (last_ == &c) last_ = nullptr;
  c.number_ = Direction::none;
  free_.push_back(&c);
}

void TcpTable::touch(Conn& c) {
  if (newest_ == &c) return;
  unlink(c);
  c.older_ = newest_;
  if (newest_ != nullptr) newest_->newer_ = &c;
  newest_ = &c;
  if (oldest_ == nullptr) oldest_ = &c;
}

void TcpTable::unlink(Conn& c) {
  if (c.newer_ != nullptr) c.newer_->older_ = c.older_;
  if (c.older_ != nullptr) c.older_->newer_ = c.newer_;
  if (newest_ == &c) newest_ = c.older_;
  if (oldest_ == &c) oldest_ = c.newer_;
  c.newer_ = c.older_ = nullptr;
}

/// It is over, but packets of it may be out of place.
void TcpTable::linger(Conn& c) {
  if (c.lingers_) return;
  c.lingers_ = true;
  lingering_.push_back({stats_.packets + options_.linger_packets, &c, c.number_});
}

void TcpTable::close_lingering() {
  while (!lingering_.empty() && lingering_.front().due <= stats_.packets) {
    const Reference r = lingering_.front();
    lingering_.pop_front();
    if (r.conn->number_ == r.number && !r.conn->closed_)
      close(*r.conn, r.conn->reset_ ? CloseReason::reset : CloseReason::fin);
  }
}

void TcpTable::finish() {
  std::vector<Conn*> live;
  for (Conn* c = newest_; c != nullptr; c = c->older_) live.push_back(c);
  std::sort(live.begin(), live.end(), [](const Conn* a, const Conn* b) { return a->number() < b->number(); });
  for (Conn* c : live) close(*c, c->reset_ ? CloseReason::reset : CloseReason::capture_end);
}

}  // namespace kparse::capture
