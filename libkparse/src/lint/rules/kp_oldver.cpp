// SPDX-License-Identifier: MIT
#include "kparse/upgrade.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

class OldVersion final : public Rule {
 public:
  using Rule::Rule;

  void begin_request(const Conn& c, const Request& r) override {
    if (!r.api || !r.header_whole || c.inter_broker || !below_kafka4(*r.api, r.version)) return;
    const std::string what = subject(frames()).text();
    hit({.cause = what}, [&](Text& t) {
      t << who(c) << " sends " << what << ": Kafka 4 takes v" << kafka4_floor(*r.api) << " and later only.";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_oldver, OldVersion, .id = "KP-OLDVER", .severity = Severity::warning, .scope = RuleScope::client,
            .condition = "A request's version is below what Kafka 4 serves (Produce 0 to 2 among them, though 4.x advertises "
                         "them). One finding for each client address, client id, API and version. Not between brokers.",
            .why = "After an upgrade to Kafka 4 the broker closes this client's connections without an error.",
            .fix = "Update this client before the upgrade; kparse audit lists all of them.",
            .example = "10.0.0.1:4711 (\"legacy-agent\") sends Produce v0: Kafka 4 takes v3 and later only.",
            .sources = "KIP-896", .healthy = true);

}  // namespace kparse::lint
