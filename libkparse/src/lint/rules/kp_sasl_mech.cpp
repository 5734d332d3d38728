// SPDX-License-Identifier: MIT
#include "kparse/node.h"
#include "lint/one_field.h"
#include "lint/rule.h"

namespace kparse::lint {
namespace {

constexpr std::int16_t key_sasl_handshake = 17, unsupported_mechanism = 33;

class SaslMechanism final : public Rule {
 public:
  using Rule::Rule;

  void begin_request(const Conn& c, const Request& r) override {
    if (r.api_key == key_sasl_handshake && r.known && r.header_whole)
      asked_[c] = request_.read(*r.api->request, r.version, r.body, 64);
  }

  void end_response(const Conn& c, const Response& r, const Error&) override {
    if (r.api_key != key_sasl_handshake || !r.matched || !r.known || r.body.size() < 2) return;
    if (load_be<std::int16_t>(r.body.data()) != unsupported_mechanism) return;
    const std::string* const asked = asked_.find(c);
    const std::string mechanism = asked ? *asked : std::string("?");
    hit({.cause = mechanism}, [&](Text& t) {
      const std::string offered = response_.read(*r.api->response, r.version, r.body);
      t << c.server() << " doesn't offer SASL mechanism " << Quoted{mechanism} << "; it offers "
        << Quoted{offered.empty() ? "none" : offered, 200} << ".";
    });
  }

  void on_close(const Conn& c, const Stamp&) override { asked_.drop(c); }

 private:
  TextFields request_{node::sasl_handshake_request::mechanism};
  TextFields response_{node::sasl_handshake_response::mechanisms};
  PerConn<std::string> asked_;
};

}  // namespace

KPARSE_RULE(kp_sasl_mech, SaslMechanism, .id = "KP-SASL-MECH", .severity = Severity::error,
            .scope = RuleScope::connection, .condition = "A SaslHandshake answer has error 33.",
            .why = "Authentication can't begin.",
            .fix = "Set sasl.mechanism to one that is offered, or enable it on the listener.",
            .example = "10.0.0.9:9092 doesn't offer SASL mechanism PLAIN; it offers SCRAM-SHA-256, SCRAM-SHA-512.",
            .sources = "kaf#212; KIP-43");

}  // namespace kparse::lint
