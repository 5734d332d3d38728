// SPDX-License-Identifier: MIT
#include <array>

#include "lint/out_of_turn.h"

namespace kparse::lint {
namespace {

constexpr std::string_view instead[] = {"KP-ACKS0-REPLY"};

class Corr final : public OutOfTurnRule {
 public:
  using OutOfTurnRule::OutOfTurnRule;

  void late(const Conn& c, const PassedOver& p, const Response& r) override {
    hit({.cause = "reordered", .at = &p.at}, [&](Text& t) {
      t << "Response with correlation id " << p.got << " where " << p.asked.correlation_id << " is due: " << c.server()
        << " answers out of order, " << api_text(p.asked.api, p.asked.api_key) << " is answered after it, in packet "
        << r.frame.first.packet << ".";
    });
  }

  void begin_response(const Conn& c, const Response& r) override {
    OutOfTurnRule::begin_response(c, r);
    State& st = state_[c];
    if (r.matched) {
      st.tokens = false;
      return;
    }
    if (!r.header_whole || st.tokens || st.odd || !c.from_syn || c.lost[0] || c.lost[1]) return;
    hit({.cause = "unknown"}, [&](Text& t) {
      t << "Response with correlation id " << r.correlation_id << " where ";
      if (c.outstanding.empty()) {
        t << "none";
      } else {
        t << c.outstanding.front().correlation_id;
      }
      t << " is due: no request had this id.";
    });
  }

  // Raw tokens have no id; what comes between them can't be told for sure.
  void on_sasl(const Conn& c, const SaslToken&) override { state_[c].tokens = true; }
  void on_resync(const Conn& c, Side s, std::uint64_t n) override {
    OutOfTurnRule::on_resync(c, s, n);
    state_[c].odd = true;
  }
  void on_not_a_frame(const Conn& c, const NotAFrame&) override { state_[c].odd = true; }
  void on_close(const Conn& c, const Stamp& at) override {
    OutOfTurnRule::on_close(c, at);
    state_.drop(c);
  }

 private:
  struct State {
    bool tokens = false, odd = false;
  };
  PerConn<State> state_;
};

}  // namespace

KPARSE_RULE(kp_corr, Corr, .id = "KP-CORR", .severity = Severity::error, .scope = RuleScope::connection,
            .condition = "A response's correlation id is that of a later request than the oldest that waits, which is answered "
                         "afterwards; or it is no request's, though the connection is complete from its SYN. Not among raw "
                         "SASL tokens, not for the answer of a Produce with acks=0, not where bytes are missing.",
            .why = "Kafka answers strictly in order on a connection. A client that sees another id closes it and fails "
                   "everything in flight.",
            .fix = "If two threads wrote requests out of order, fix the client; otherwise the server or a proxy broke the "
                   "order.",
            .example = "Response with correlation id 11 where 10 is due: 10.0.0.9:9092 answers out of order, "
                       "Heartbeat is answered after it, in packet 10.",
            .sources = "redpanda#25636; kop#199; kafka-python#1748", .instead = instead);

}  // namespace kparse::lint
