// SPDX-License-Identifier: MIT
#include "lint/out_of_turn.h"

namespace kparse::lint {
namespace {

class Skip final : public OutOfTurnRule {
 public:
  using OutOfTurnRule::OutOfTurnRule;

  void never(const Conn& c, const PassedOver& p) override {
    if (p.asked.api_key == 18 || !p.asked.whole) return;
    const std::string what = api_text(p.asked.api, p.asked.api_key);
    hit({.api = what, .cause = what, .conn = &c, .at = &p.asked.first}, [&](Text& t) {
      t << "Request " << what << " with correlation id " << p.asked.correlation_id
        << " was skipped: later ones are answered.";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_corr_skip, Skip, .id = "KP-CORR-SKIP", .severity = Severity::warning, .scope = RuleScope::connection,
            .condition = "A response has the id of a later request than the oldest that waits, and the skipped one (not "
                         "Produce with acks=0, not ApiVersions) is never answered. Not where bytes are missing.",
            .why = "Either the server ignores that API, or one answer got lost. A client that pairs by order is wrong from "
                   "there on.",
            .fix = "Check that the server knows the API. In the client pair by id and fail the skipped request.",
            .example = "Request Metadata with correlation id 10 was skipped: later ones are answered.",
            .sources = "KAFKA-4669; allegro/hermes#819; Kafka 0.9 ignores unknown APIs");

}  // namespace kparse::lint
