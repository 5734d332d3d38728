// SPDX-License-Identifier: MIT
#include "lint/error_rule.h"

namespace kparse::lint {
namespace {

using ErrDegraded = ErrorRule<Severity::warning>;

}  // namespace

KPARSE_RULE(kp_err_degraded, ErrDegraded, .id = "KP-ERR-DEGRADED", .severity = Severity::warning,
            .scope = RuleScope::frame,
            .condition =
                "As KP-ERR-REFUSED for codes that are a warning for that API: missing replicas, limits, positions that "
                "are gone; and for codes that no Kafka has.",
            .why = "Something in the cluster or its limits isn't as it should be; it may pass.",
            .fix = "As the message says for that code.",
            .example =
                "Produce to 10.0.0.2:9092 answered NOT_ENOUGH_REPLICAS (19) for orders-0: Fewer in-sync replicas than "
                "min.insync.replicas: bring replicas back; clients retry meanwhile.",
            .sources = "Kafka's Errors", .instead = error_rules_instead);

}  // namespace kparse::lint
