// SPDX-License-Identifier: MIT
#include "lint/telling.h"

namespace kparse::lint {
namespace {

class SaslV0 final : public Rule {
 public:
  using Rule::Rule;

  void end_response(const Conn& c, const Response& r, const Error&) override {
    if (r.api_key != 17 || !r.matched || r.version != 0 || r.body.size() < 2) return;
    if (load_be<std::int16_t>(r.body.data()) != 0) return;
    hit({}, [&](Text& t) { t << who(c) << " uses SaslHandshake v0: raw tokens follow."; });
  }
};

}  // namespace

KPARSE_RULE(kp_sasl_v0, SaslV0, .id = "KP-SASL-V0", .severity = Severity::notice, .scope = RuleScope::connection,
            .condition = "A SaslHandshake of version 0 is answered without error: the frames that follow are a size and a raw "
                         "token, without a Kafka header.",
            .why = "Readers and proxies must change to tokens until the next valid header; a wrong password closes the "
                   "connection without a message.",
            .fix = "Update the client to SaslHandshake v1 (KIP-152).",
            .example = "10.0.0.1:50000 (\"billing\") uses SaslHandshake v0: raw tokens follow.",
            .sources = "KIP-43; KIP-152; shotover#1574; kop#667", .healthy = true);

}  // namespace kparse::lint
