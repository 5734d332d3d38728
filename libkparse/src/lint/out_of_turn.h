// SPDX-License-Identifier: MIT
// Answers that come before those of older requests, and what becomes of the requests that were passed over.
#pragma once

#include <algorithm>
#include <vector>

#include "lint/rule.h"
#include "lint/telling.h"

namespace kparse::lint {

/// An older request that a response passed over.
struct PassedOver {
  Asked asked;
  std::int32_t got = 0;     ///< correlation id of the response that passed it over first
  Stamp at;                 ///< its packet
};

/// Calls late() when a request that was passed over is answered after all, never() when it isn't though the connection
/// goes on. Not on connections of which bytes are missing, where the order of what was seen proves nothing.
class OutOfTurnRule : public Rule {
 public:
  using Rule::Rule;
  virtual void late(const Conn&, const PassedOver&, const Response&) {}
  virtual void never(const Conn&, const PassedOver&) {}

  void begin_response(const Conn& c, const Response& r) override {
    if (!r.matched || !r.expected) return;
    State* st = state_.find(c);
    if (st) {
      const auto at = std::ranges::find(st->passed, r.serial, serial_of);
      if (at != st->passed.end()) {
        if (!c.lost[0] && !c.lost[1] && !st->resynced) late(c, *at, r);
        st->passed.erase(at);
      }
    }
    for (const Asked& a : c.outstanding) {   // oldest first; this one's request is out already
      if (a.serial >= r.serial) break;
      if (!st) st = &state_[c];
      if (std::ranges::find(st->passed, a.serial, serial_of) != st->passed.end())
        continue;
      if (!room_.beside(st->passed.size(), !c.lost[0] && !c.lost[1] && !st->resynced)) break;
      st->passed.push_back({a, r.correlation_id, r.frame.first});
    }
  }
  void on_resync(const Conn& c, Side, std::uint64_t) override { state_[c].resynced = true; }

  // Given up after many later answers, or at the end.
  void on_unanswered(const Conn& c, const Asked& a) override {
    State* const st = state_.find(c);
    if (!st) return;
    const auto at = std::ranges::find(st->passed, a.serial, serial_of);
    if (at == st->passed.end()) return;
    if (!c.lost[0] && !c.lost[1] && !st->resynced) never(c, *at);
    st->passed.erase(at);
  }
  void on_close(const Conn& c, const Stamp&) override { state_.drop(c); }

 private:
  static std::uint64_t serial_of(const PassedOver& p) noexcept { return p.asked.serial; }
  struct State {
    bool resynced = false;
    std::vector<PassedOver> passed;
  };
  Room room_{*this, "a connection's requests that were passed over", 256};
  PerConn<State> state_;
};

}  // namespace kparse::lint
