// SPDX-License-Identifier: MIT
#include "lint/keys.h"
#include "lint/rule.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {{"idle-seconds", 200, "s", "without any segment"},
                                  {"idle-retrans", 2, "", "times that the request is sent again"}};

class IdleDrop final : public Rule {
 public:
  using Rule::Rule;

  void on_segment(const Conn& c, const SegmentSeen& s) override {
    if (s.duplicate) return;
    State& st = state_[c];
    const double idle = st.any ? seconds_between(st.last, s.at) : 0;
    st.any = true;
    st.last = s.at;
    if (!c.kafka) return;
    if (s.direction == c.direction_of(Side::server)) {
      if (st.waiting && s.has(SegmentSeen::rst)) say(c, st, "a reset");
      st.waiting = false;
      return;
    }
    if (s.has(SegmentSeen::rst)) return;
    if (idle >= option(0) && s.length > 0 && !s.keepalive) {
      st.waiting = true;
      st.idle = idle;
      st.at = s.at;
      st.again = 0;
    } else if (st.waiting && s.again) {
      ++st.again;
    }
  }

  void on_close(const Conn& c, const Stamp&) override {
    if (const State* const st = state_.find(c); st && st->waiting && st->again > 0 && st->again >= option(1))
      say(c, *st, "no answer and was sent " + std::to_string(st->again) + " times more");
    state_.drop(c);
  }

 private:
  struct State {
    bool any = false, waiting = false;   ///< the first request after the silence has heard nothing
    Stamp last, at;
    double idle = 0;
    std::uint32_t again = 0;
  };

  void say(const Conn& c, const State& st, std::string_view what) {
    hit({.cause = c.server(), .at = &st.at}, [&](Text& t) {
      t << "After " << Decimal{st.idle, 0} << " s of silence the next request on " << c.client() << " to " << c.server()
        << " got " << what << ".";
    });
  }

  PerConn<State> state_;
};

}  // namespace

KPARSE_RULE(kp_idle_drop, IdleDrop, .id = "KP-IDLE-DROP", .severity = Severity::warning, .scope = RuleScope::connection,
            .condition = "After idle-seconds or more without any segment in either direction, a request hears nothing and is "
                         "sent again idle-retrans or more times, or is answered with RST.",
            .why = "A load balancer or firewall forgot the idle connection without telling anyone. The first request "
                   "afterwards waits for a timeout.",
            .fix = "Set connections.max.idle.ms (or socket keep-alives) below the middlebox's idle timeout.",
            .example = "After 240 s of silence the next request on 10.0.0.1:50000 to 10.0.0.9:9092 got a reset.",
            .sources = "librdkafka#3109; azure-event-hubs-for-kafka#105", .options = options);

}  // namespace kparse::lint
