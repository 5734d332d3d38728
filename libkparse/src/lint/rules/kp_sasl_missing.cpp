// SPDX-License-Identifier: MIT
#include <set>

#include "lint/refusal.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr std::int16_t key_sasl_handshake = 17, key_api_versions = 18, key_sasl_authenticate = 36;
constexpr std::string_view instead[] = {"KP-VER-RANGE", "KP-VER-DROPPED"};

bool before_login(std::int16_t key) {
  return key == key_sasl_handshake || key == key_api_versions || key == key_sasl_authenticate;
}

class SaslMissing final : public AdvertisedRule {
 public:
  using AdvertisedRule::AdvertisedRule;

  void advertised(const Conn& c, const Ranges& r) override { refusals_.advertised(c.server(), r); }

  void end_response(const Conn& c, const Response& r, const Error& e) override {
    AdvertisedRule::end_response(c, r, e);
    if (!r.matched) return;
    refusals_.answered(c.server(), r.api_key, r.version);
    if (before_login(r.api_key) || c.sasl_seen) return;
    State& s = state_[c];
    if (s.answered) return;
    s.answered = true;
    if (!open_.contains(c.server()) && room_for_open_.beside(open_.size())) open_.emplace(c.server());
  }

  // A broker closes as well on a body that it can't read.
  void end_request(const Conn& c, const Request& r, const Error& e) override {
    if (e && r.known && !c.sasl_seen) state_[c].unreadable = true;
  }

  void on_unanswered(const Conn& c, const Asked& a) override {
    if (before_login(a.api_key) || c.sasl_seen) return;
    State& s = state_[c];
    if (s.asked.api_key < 0) s.asked = a;
  }

  void on_close(const Conn& c, const Stamp&) override {
    const State* const s = state_.find(c);
    if (s && s->asked.api && !s->answered && !s->unreadable && !c.sasl_seen && c.from_syn && !c.lost[0] && !c.lost[1] &&
        ended_first(c, Side::server) && !refusals_.likely(c.server(), s->asked)) {
      std::string key(c.server());
      (key += '\n') += c.client_host();
      (key += '\n') += c.client_id;
      if (Suspect* const k = suspects_.get(key, room_for_suspects_); k && k->connections++ == 0) {
        k->api = s->asked.api->name;
        k->witness = witness_of(c, s->asked.first);
      }
    }
    state_.drop(c);
  }

  void on_finish(const Stamp&) override {
    if (room_for_open_.left_out() > 0) return;   // any of them may be open
    for (auto& [key, k] : suspects_) {
      if (open_.contains(k.witness.server) || !refusals_.servers().find(k.witness.server, key_sasl_handshake)) continue;
      hit({.api = k.api, .cause = k.witness.server, .witness = &k.witness, .count = k.connections}, [&, &k = k](Text& t) {
        t << k.witness.server << " closed the connection on " << k.api << " from " << who(k.witness)
          << ": this listener wants SASL and the client didn't start it.";
      });
    }
  }

 private:
  struct State {
    Asked asked;   ///< the first that has no answer
    bool answered = false, unreadable = false;
  };
  struct Suspect {
    std::string_view api;
    std::uint64_t connections = 0;
    Witness witness;
  };
  Refusals refusals_{*this};
  Room room_for_open_{*this, "servers without SASL"};
  Room room_for_suspects_{*this, "clients that were refused"};
  std::set<std::string, std::less<>> open_;   ///< servers that answer without SASL
  PerConn<State> state_;
  Bounded<std::string, Suspect> suspects_;
};

}  // namespace

KPARSE_RULE(kp_sasl_missing, SaslMissing, .id = "KP-SASL-MISSING", .severity = Severity::error,
            .scope = RuleScope::connection,
            .condition = "A connection seen from its SYN sends a request other than ApiVersions without any SASL exchange, "
                         "the server closes it without answering such a request, its advertised list has SaslHandshake, "
                         "the version isn't at fault, and no connection to the same server got such an answer without "
                         "SASL.",
            .why = "The broker closes without an error code, so that the client only says \"disconnected\".",
            .fix = "Set security.protocol=SASL_PLAINTEXT or SASL_SSL and sasl.* in the client, or use another listener.",
            .example = "10.0.0.9:9092 closed the connection on Metadata from 10.0.0.1:50000 (\"billing\"): this "
                       "listener wants SASL and the client didn't start it.",
            .sources = "aiokafka#753; franz-go#16; brod#516", .instead = instead);

}  // namespace kparse::lint
