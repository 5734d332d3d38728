// SPDX-License-Identifier: MIT
#include "kparse/node.h"
#include "lint/rule.h"

namespace kparse::lint {
namespace {

namespace answer = node::sasl_authenticate_response;
constexpr std::int16_t key_handshake = 17, key_versions = 18, key_authenticate = 36;

struct LifetimeSink : Sink {
  std::int64_t ms = -1;
  void integer(NodeId, std::int64_t v, Bytes) noexcept { ms = v; }
};
Interest lifetime_interest() {
  Interest i = Interest::nothing();
  i.add(answer::session_lifetime_ms);
  return i;
}

class Reauth final : public Rule {
 public:
  Reauth(Desk& d, const RuleInfo& i, const double* o) : Rule(d, i, o), lifetime_(lifetime_interest()) {}

  void begin_request(const Conn& c, const Request& r) override {
    if (r.api_key == key_versions || !c.sasl_seen) return;
    State& s = state_[c];
    if (r.api_key != key_handshake && r.api_key != key_authenticate) {
      s.busy = s.busy || s.authenticated;
      s.again = false;
      return;
    }
    if (!s.busy || s.again) return;
    s.again = true;
    hit({}, [&](Text& t) {
      t << c.client() << " authenticates again in mid-connection";
      if (s.lifetime_ms > 0) t << " (session lifetime " << s.lifetime_ms << " ms)";
      t << ".";
    });
  }

  void end_response(const Conn& c, const Response& r, const Error& e) override {
    if (r.api_key != key_authenticate || !r.matched || !r.known || e || r.body.size() < 2) return;
    if (load_be<std::int16_t>(r.body.data()) != 0) return;
    State& s = state_[c];
    s.authenticated = true;
    LifetimeSink sink;
    (void)walk(lifetime_.get(*r.api->response, r.version), r.body, sink);
    if (sink.ms > 0) s.lifetime_ms = sink.ms;
  }
  void on_sasl(const Conn& c, const SaslToken& t) override {
    if (t.frame.from == Side::server) state_[c].authenticated = true;
  }
  void on_close(const Conn& c, const Stamp&) override { state_.drop(c); }

 private:
  struct State {
    bool authenticated = false, busy = false, again = false;   ///< busy: other requests came since
    std::int64_t lifetime_ms = 0;
  };
  ProgramSet lifetime_;
  PerConn<State> state_;
};

}  // namespace

KPARSE_RULE(kp_corr_reauth, Reauth, .id = "KP-CORR-REAUTH", .severity = Severity::notice, .scope = RuleScope::connection,
            .condition = "SaslHandshake or SaslAuthenticate comes after other requests on a connection that has authenticated "
                         "already (KIP-368).",
            .why = "Its correlation ids are a sequence of their own and may repeat: a reader that expects one sequence mixes "
                   "up answers.",
            .fix = "Nothing for the user; treat SASL ids as a sequence of their own.",
            .example = "10.0.0.1:50000 authenticates again in mid-connection (session lifetime 2500 ms).",
            .sources = "KAFKA-9854; kafka#8471; KIP-368", .healthy = true);

}  // namespace kparse::lint
