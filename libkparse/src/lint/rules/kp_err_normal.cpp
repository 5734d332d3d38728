// SPDX-License-Identifier: MIT
#include "lint/error_rule.h"

namespace kparse::lint {
namespace {

using ErrNormal = ErrorRule<Severity::info>;

}  // namespace

KPARSE_RULE(kp_err_normal, ErrNormal, .id = "KP-ERR-NORMAL", .severity = Severity::info, .scope = RuleScope::frame,
            .condition = "As KP-ERR-REFUSED for codes that belong to the protocol's ordinary course.",
            .why = "Part of the protocol's ordinary course.", .fix = "Nothing.",
            .example =
                "Heartbeat to 10.0.0.2:9092 answered REBALANCE_IN_PROGRESS (27) for group g: A rebalance is under way: "
                "the member joins again.",
            .sources = "Kafka's Errors", .healthy = true, .instead = error_rules_instead);

}  // namespace kparse::lint
