// SPDX-License-Identifier: MIT
#include "kparse/upgrade.h"
#include "lint/old_calls.h"

namespace kparse::lint {
namespace {

class OldVersion final : public OldCallRule {
 public:
  using OldCallRule::OldCallRule;

 protected:
  bool is_old(const Api& api, int version) const override { return below_kafka4(api, version); }
  void tell(Text& t, const Api& api, std::uint64_t times) const override {
    t << " (" << times << (times == 1 ? " time" : " times") << "): Kafka 4 takes v" << kafka4_floor(api)
      << " and later only.";
  }
};

}  // namespace

KPARSE_RULE(kp_oldver, OldVersion, .id = "KP-OLDVER", .severity = Severity::warning, .scope = RuleScope::client,
            .condition = "A request's version is below what Kafka 4 serves (Produce 0 to 2 among them, though 4.x advertises "
                         "them). One finding for each client address, client id, API and version. Not between brokers.",
            .why = "After an upgrade to Kafka 4 the broker closes this client's connections without an error.",
            .fix = "Update this client before the upgrade; kparse audit lists all of them.",
            .example = "10.0.0.1:50000 (\"legacy-agent\") sends OffsetCommit v1 (1 time): Kafka 4 takes v2 and later "
                       "only.",
            .sources = "KIP-896", .healthy = true);

}  // namespace kparse::lint
