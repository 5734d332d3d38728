// SPDX-License-Identifier: MIT
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr std::int16_t key_sasl_handshake = 17, key_sasl_authenticate = 36, illegal_sasl_state = 34;

class SaslState final : public Rule {
 public:
  using Rule::Rule;

  void on_error(const ErrorSeen& e) override {
    if (e.code != illegal_sasl_state || !desk_.conn()) return;
    const Subject s = subject(frames());
    hit({.cause = s.text()}, [&](Text& t) {
      t << conn().server() << " says ILLEGAL_SASL_STATE to " << who(conn()) << ": ";
      if (s.api_key == key_sasl_handshake) {
        t << "it wants no SASL on this listener, or not at this point.";
      } else if (s.api_key == key_sasl_authenticate) {
        t << "SaslAuthenticate without a handshake, or on a listener without SASL.";
      } else {
        t << "answer to " << s.text() << ".";
      }
    });
  }
};

}  // namespace

KPARSE_RULE(kp_sasl_state, SaslState, .id = "KP-SASL-STATE", .severity = Severity::error,
            .scope = RuleScope::connection,
            .condition = "Any answer has error 34: mostly that to SaslHandshake or SaslAuthenticate.",
            .why = "A SASL client met a listener without SASL, or the steps came out of order.",
            .fix = "Set security.protocol to that of the listener.",
            .example = "10.0.0.9:9092 says ILLEGAL_SASL_STATE to 10.0.0.1:50000 (\"billing\"): it wants no SASL on "
                       "this listener, or not at this point.",
            .sources = "KIP-152; Kafka's KafkaApis.handleSaslHandshakeRequest");

}  // namespace kparse::lint
