// SPDX-License-Identifier: MIT
#include <vector>

#include "lint/keys.h"
#include "lint/telling.h"
#include "lint/waits.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {{"no-response-seconds", 30, "s", "beside what the request asks to wait"}};
constexpr std::string_view instead[] = {"KP-VER-DROPPED",   "KP-SASL-MISSING", "KP-APIV-NOREPLY",
                                        "KP-FRAME-BIG-REQ", "KP-IDLE-DROP",    "KP-CORR-SKIP",
                                        "KP-FRAME-HTTP",    "KP-FRAME-TLS"};
constexpr std::int16_t key_controlled_shutdown = 7;

class NoResponse final : public Rule {
 public:
  using Rule::Rule;

  void begin_request(const Conn& c, const Request& r) override {
    const std::int64_t wait = waits_.of(r);
    if (wait == 0) return;
    State& s = state_[c];
    s.longest_wait_ms = std::max(s.longest_wait_ms, wait);
  }

  void on_unanswered(const Conn& c, const Asked& a) override {
    if (a.api_key < 0 || a.api_key == key_controlled_shutdown || !a.whole) return;
    State& s = state_[c];
    if (room_.beside(s.open.size(), false)) {
      s.open.push_back(a);
    } else {
      ++s.more;
    }
  }

  void on_close(const Conn& c, const Stamp& at) override {
    if (const State* const s = state_.find(c); s && silence_counts(c)) {
      for (const Asked& a : s->open) judge(c, *s, a, at);
      room_.leave_out(s->more);
    }
    state_.drop(c);
  }

 private:
  struct State {
    std::int64_t longest_wait_ms = 0;
    std::vector<Asked> open;
    std::uint64_t more = 0;
  };

  void judge(const Conn& c, const State& s, const Asked& a, const Stamp& at) {
    if (ended_first(c, Side::server)) {
      const bool reset = c.how_ended(Side::server) == End::rst;
      return say(c, a, reset ? "the server reset the connection" : "the server closed the connection");
    }
    const bool gave_up = c.how_ended(Side::client) != End::open;
    const Stamp& until = gave_up ? c.ended[static_cast<std::size_t>(c.direction_of(Side::client))] : at;
    const double waited = seconds_between(a.completed, until);
    const bool may_wait = a.api_key == 1 || a.api_key == 11 || a.api_key == 14 || a.api_key == 78;
    const double limit = option(0) + (may_wait ? static_cast<double>(s.longest_wait_ms) / 1e3 : 0);
    if (waited < limit) return;
    Text t;
    t << (gave_up ? "the client gave up after " : "none within ") << Decimal{waited} << " s";
    say(c, a, std::move(t).take());
  }

  void say(const Conn& c, const Asked& a, std::string_view detail) {
    const std::string what = api_text(a.api, a.api_key);
    hit({.api = what, .cause = what, .conn = &c, .at = &a.first}, [&](Text& t) {
      t << what << " v" << a.version << " (id " << a.correlation_id << ") got no answer: " << detail << ".";
    });
  }

  Waits waits_;
  Room room_{*this, "a connection's requests without an answer", Conn::max_outstanding};
  PerConn<State> state_;
};

}  // namespace

KPARSE_RULE(kp_no_response, NoResponse, .id = "KP-NO-RESPONSE", .severity = Severity::warning, .scope = RuleScope::frame,
            .condition = "A request (not Produce with acks=0, not ControlledShutdown) has no answer although "
                         "no-response-seconds and its own wait have passed on the open connection, or the server closed or "
                         "reset the connection first. Not where the client closed before that or the capture ends, nor "
                         "where bytes are missing.",
            .why = "The client waits for request.timeout.ms and then drops the connection with all that is in flight.",
            .fix = "Look at the broker's log at that time. A close without an answer is usually a request that it couldn't "
                   "parse.",
            .example = "Metadata v4 (id 1) got no answer: the server closed the connection.",
            .sources = "Kafka's NetworkClient: request.timeout.ms", .options = options, .instead = instead);

}  // namespace kparse::lint
