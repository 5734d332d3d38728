// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <vector>

#include "lint/keys.h"
#include "lint/rule.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {{"silent-factor", 2, "times", "its heartbeat interval or fetch wait"},
                                  {"silent-seconds", 60, "s", "at least"}};
constexpr std::size_t pace = 10;

/// What a client sends over and over while it lives: Fetch, ShareFetch, and the heartbeats of all kinds of groups.
bool steady(std::int16_t key) noexcept { return key == 1 || key == 12 || key == 68 || key == 76 || key == 78 || key == 88; }

class Silent final : public Rule {
 public:
  using Rule::Rule;

  void begin_request(const Conn& c, const Request& r) override {
    State& s = state_[c];
    s.last = r.frame.first;
    s.open = r.answer_expected;
    if (!steady(r.api_key)) return;
    if (r.api_key != s.key) s.count = 0;
    s.key = r.api_key;
    s.at[s.count++ % pace] = r.frame.completed.time_ns;
  }
  void end_response(const Conn& c, const Response&, const Error&) override {
    if (State* const s = state_.find(c)) s->open = !c.outstanding.empty();
  }

  void on_close(const Conn& c, const Stamp& at) override {
    if (const State* const s = state_.find(c); s && s->last.packet != 0) {
      if (Stamp* const newest = newest_.get(client_key(c), room_for_clients_); newest && newest->time_ns < s->last.time_ns) *newest = s->last;
      const double interval = interval_of(*s), silence = seconds_between(s->last, at);
      const bool open = c.end[0] == End::open && c.end[1] == End::open;
      if (open && !s->open && interval >= 0 && silence >= std::max(option(1), option(0) * interval) &&
          room_for_found_.beside(found_.size()))
        found_.push_back({silence, client_key(c), witness_of(c, s->last)});
    }
    state_.drop(c);
  }

  // It may have gone on over another connection.
  void on_finish(const Stamp&) override {
    for (const Found& f : found_) {
      const Stamp* const newest = newest_.find(f.client);
      if (!newest || seconds_between(f.witness.at, *newest) > 1) continue;
      hit({.witness = &f.witness}, [&](Text& t) {
        t << who(f.witness) << " has sent nothing for " << Decimal{f.silence, 0} << " s; the connection is open.";
      });
    }
  }

 private:
  struct State {
    Stamp last;
    bool open = false;                   ///< a request waits for its answer
    std::int16_t key = -1;
    std::array<std::int64_t, pace> at{};
    std::uint64_t count = 0;
  };
  struct Found {
    double silence;
    std::string client;
    Witness witness;
  };

  /// Seconds from one to the next, the longest of the last ones; -1: there was no steady pace.
  static double interval_of(const State& s) {
    if (s.count < pace) return -1;
    std::array<double, pace - 1> gaps{};
    for (std::size_t n = 0; n + 1 < pace; ++n)
      gaps[n] = static_cast<double>(s.at[(s.count + n + 1) % pace] - s.at[(s.count + n) % pace]) / 1e9;
    std::ranges::sort(gaps);
    const double median = gaps[gaps.size() / 2];
    return gaps.back() <= 3 * median + 1 ? gaps.back() : -1;
  }

  Room room_for_clients_{*this, "clients"};
  Room room_for_found_{*this, "silent connections"};
  PerConn<State> state_;
  Bounded<std::string, Stamp> newest_;
  std::vector<Found> found_;
};

}  // namespace

KPARSE_RULE(kp_silent, Silent, .id = "KP-SILENT", .severity = Severity::notice, .scope = RuleScope::client,
            .condition = "A client that fetched or sent heartbeats at a steady pace, at least 10 times, sends nothing on any "
                         "connection for silent-factor times that pace and at least silent-seconds, with nothing "
                         "outstanding, while the connection stays open and the capture goes on.",
            .why = "The broker is innocent: the client is stuck or does nothing.",
            .fix = "Look at the client: thread dump, logs.",
            .example = "10.0.0.1:50000 (\"t1\") has sent nothing for 90 s; the connection is open.",
            .sources = "kafka-python#1310", .healthy = true, .options = options);

}  // namespace kparse::lint
