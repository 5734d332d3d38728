// SPDX-License-Identifier: MIT
// Pauses between the segments of one frame, for rules about who it was that waited.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "lint/rule.h"

namespace kparse::lint {

/// What one direction sent, and what its peer said of it.
struct Sending {
  bool sent = false;
  std::uint64_t end = 0;         ///< of what was sent so far
  Stamp last;                    ///< the packet that brought the newest bytes
  bool acked_known = false;
  std::uint64_t acked = 0;
  Stamp acked_at;                ///< the packet with which the peer acknowledged that much
  bool window_known = false;
  std::uint32_t window = 0;      ///< the peer's
  Stamp opened_at;               ///< the packet after which a segment fits into the peer's window again
  std::uint16_t mss = 0;         ///< the peer's, 0 not seen
};

/// New bytes that came after a pause.
struct Pause {
  std::uint64_t offset = 0;      ///< of the first byte after it
  std::uint32_t length = 0;
  Stamp before, after;           ///< the packets around it
  double ms = 0;
};

/// Calls paused() for each pause that the derived rule finds worth keeping and that turns out to be inside a frame.
/// Nothing of connections inside TLS: offsets of frames aren't those of segments there.
class SendRule : public Rule {
 public:
  using Rule::Rule;

  /// `s` follows directly what was sent before. Its pause, or ms 0: none that matters. `s` isn't in `me` yet.
  virtual double pause_of(const Sending& me, const SegmentSeen& s) const = 0;
  virtual void paused(const Conn&, const Frame&, const Api*, const Pause&) = 0;

  void on_segment(const Conn& c, const SegmentSeen& s) override {
    if (s.duplicate || c.tls || s.has(SegmentSeen::rst)) return;
    State& st = state_[c];
    const auto d = static_cast<std::size_t>(s.direction);
    Sending &me = st.sending[d], &peer = st.sending[1 - d];
    if (s.acknowledges && (!peer.acked_known || s.acknowledged > peer.acked)) {
      peer.acked_known = true;
      peer.acked = s.acknowledged;
      peer.acked_at = s.at;
    }
    const std::uint32_t least = std::max<std::uint32_t>(peer.mss, 1);
    if (peer.window_known && peer.window < least && s.window >= least) peer.opened_at = s.at;
    peer.window_known = true;
    peer.window = s.window;
    if (s.has(SegmentSeen::syn)) peer.mss = s.mss;
    if (!s.placed || s.length == 0 || s.keepalive || s.again) return;
    if (me.sent && s.offset == me.end) {
      if (const double ms = pause_of(me, s); ms > 0 && room_.beside(st.pauses[d].size(), c.kafka))
        st.pauses[d].push_back({s.offset, s.length, me.last, s.at, ms});
    }
    const std::uint64_t end = s.offset + s.length;
    if (!me.sent || end > me.end) {
      me.sent = true;
      me.end = end;
      me.last = s.at;
    }
  }
  void begin_request(const Conn& c, const Request& r) override { frame(c, r.frame, r.api); }
  void begin_response(const Conn& c, const Response& r) override { frame(c, r.frame, r.matched ? r.api : nullptr); }
  void on_close(const Conn& c, const Stamp&) override { state_.drop(c); }

 private:
  struct State {
    std::array<Sending, 2> sending;
    std::array<std::vector<Pause>, 2> pauses;
  };

  void frame(const Conn& c, const Frame& f, const Api* api) {
    State* const st = state_.find(c);
    if (!st || c.tls) return;
    std::vector<Pause>& pauses = st->pauses[static_cast<std::size_t>(c.direction_of(f.from))];
    if (pauses.empty()) return;
    const std::uint64_t end = f.offset + 4 + f.size;
    if (f.offset_exact) {
      for (const Pause& p : pauses)
        if (f.offset < p.offset && p.offset < end) paused(c, f, api, p);
    }
    std::erase_if(pauses, [end](const Pause& p) { return p.offset < end; });
  }

  Room room_{*this, "a connection's pauses before the end of a frame", 64};
  PerConn<State> state_;
};

}  // namespace kparse::lint
