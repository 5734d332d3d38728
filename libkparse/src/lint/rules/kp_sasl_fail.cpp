// SPDX-License-Identifier: MIT
#include "kparse/node.h"
#include "lint/one_field.h"
#include "lint/rule.h"

namespace kparse::lint {
namespace {

constexpr std::int16_t key_sasl_authenticate = 36, authentication_failed = 58;

class SaslFail final : public Rule {
 public:
  using Rule::Rule;

  void end_response(const Conn& c, const Response& r, const Error&) override {
    if (r.api_key != key_sasl_authenticate || !r.matched || !r.known || r.body.size() < 2) return;
    if (load_be<std::int16_t>(r.body.data()) != authentication_failed) return;
    const std::string cause = c.mechanism + ' ' + c.user;
    hit({.cause = cause}, [&](Text& t) {
      const std::string message = message_.read(*r.api->response, r.version, r.body);
      t << c.server() << " refused ";
      if (c.user.empty()) {
        t << c.client();
      } else {
        t << Quoted{c.user};
      }
      t << " (" << Quoted{c.mechanism.empty() ? "unknown mechanism" : c.mechanism} << ")";
      if (!message.empty()) t << ": " << Quoted{message, 200};
      if (!message.ends_with('.')) t << ".";
    });
  }

 private:
  TextFields message_{node::sasl_authenticate_response::error_message};
};

}  // namespace

KPARSE_RULE(kp_sasl_fail, SaslFail, .id = "KP-SASL-FAIL", .severity = Severity::error, .scope = RuleScope::connection,
            .condition = "A SaslAuthenticate answer has error 58.",
            .why = "Wrong user, password or token; the broker closes the connection afterwards.",
            .fix = "Check the credentials.",
            .example = "10.0.0.9:9092 refused alice (SCRAM-SHA-256): Authentication failed during authentication due "
                       "to invalid credentials with SASL mechanism SCRAM-SHA-256.",
            .sources = "KIP-152; kaf#212");

}  // namespace kparse::lint
