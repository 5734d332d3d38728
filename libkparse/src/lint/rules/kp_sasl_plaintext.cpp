// SPDX-License-Identifier: MIT
#include "kparse/payload.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr std::int16_t key_sasl_authenticate = 36;

bool readable(std::string_view mechanism) { return mechanism == "PLAIN" || mechanism == "OAUTHBEARER"; }

/// Where no handshake named it.
std::string_view mechanism_of(const SaslToken& t) {
  if (!t.mechanism.empty()) return t.mechanism;
  const std::string_view s = text(t.frame.data);
  if (s.find("auth=Bearer") != s.npos) return "OAUTHBEARER";
  return s.starts_with('\0') && s.find('\0', 1) != s.npos ? "PLAIN" : "";
}

class SaslPlaintext final : public Rule {
 public:
  using Rule::Rule;

  void on_sasl(const Conn& c, const SaslToken& t) override {
    const std::string_view mechanism = mechanism_of(t);
    if (t.frame.from != Side::client || !readable(mechanism) || t.frame.data.empty()) return;
    say(c, mechanism, sasl_user(mechanism, t.frame.data), t.frame.first);
  }

  // Of a raw token it comes too, with the request after it.
  void on_principal(const PrincipalSeen& p) override {
    const Request* const r = frames().request;
    if (r && r->api_key == key_sasl_authenticate && readable(p.mechanism)) say(conn(), p.mechanism, p.user, r->frame.first);
  }

 private:
  void say(const Conn& c, std::string_view mechanism, std::string_view user, const Stamp& at) {
    if (!c.in_clear()) return;
    const std::string cause = std::string(mechanism) + ' ' + std::string(user);
    hit({.cause = cause, .conn = &c, .at = &at}, [&](Text& t) {
      if (user.empty()) {
        t << who(c);
      } else {
        t << Quoted{user};
      }
      t << " authenticates with " << mechanism << " without TLS: the secret is readable for anyone on the path.";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_sasl_plaintext, SaslPlaintext, .id = "KP-SASL-PLAINTEXT", .severity = Severity::warning,
            .scope = RuleScope::connection,
            .condition = "A PLAIN or OAUTHBEARER token, raw or in SaslAuthenticate, is readable since the connection isn't "
                         "TLS. The secret itself is never printed.",
            .why = "Whoever can capture can log in.", .fix = "Use SASL_SSL, or SCRAM.",
            .example = "alice authenticates with PLAIN without TLS: the secret is readable for anyone on the path.",
            .sources = "RFC 4616; RFC 7628; shotover#1574", .healthy = true);

}  // namespace kparse::lint
