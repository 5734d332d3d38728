// SPDX-License-Identifier: MIT
#include "kparse/upgrade.h"
#include "lint/old_calls.h"

namespace kparse::lint {
namespace {

class OldDeprecated final : public OldCallRule {
 public:
  using OldCallRule::OldCallRule;

 protected:
  bool is_old(const Api& api, int version) const override { return deprecated_but_kept(api.key).has(version); }
  void tell(Text& t, const Api&, std::uint64_t) const override {
    t << ", which 3.7 to 3.9 call deprecated; Kafka 4 still takes it.";
  }
};

}  // namespace

KPARSE_RULE(kp_oldver_depr, OldDeprecated, .id = "KP-OLDVER-DEPR", .severity = Severity::notice,
            .scope = RuleScope::client,
            .condition = "A request's version is on the deprecated list of 3.7 to 3.9 but still served by Kafka 4: Produce 3 "
                         "to 6, Metadata 0 to 3, FindCoordinator 0, JoinGroup 0 and 1, SaslHandshake 0, DeleteGroups 0. "
                         "Not between brokers.",
            .why = "Brokers count it in DeprecatedRequestsPerSec, but it won't break with Kafka 4.",
            .fix = "No hurry; update with the next release.",
            .example = "10.0.0.1:50000 (\"legacy-agent\") sends Metadata v3, which 3.7 to 3.9 call deprecated; Kafka "
                       "4 still takes it.",
            .sources = "KIP-896; kafka-python-ng#208", .healthy = true);

}  // namespace kparse::lint
