// SPDX-License-Identifier: MIT
#include "lint/error_rule.h"

namespace kparse::lint {
namespace {

using ErrRetry = ErrorRule<Severity::notice>;

}  // namespace

KPARSE_RULE(kp_err_retry, ErrRetry, .id = "KP-ERR-RETRY", .severity = Severity::notice, .scope = RuleScope::frame,
            .condition = "As KP-ERR-REFUSED for codes that clients get over by themselves.",
            .why = "Clients recover by themselves; many of them cost time (see KP-ERR-LOOP).",
            .fix = "Nothing if rare.",
            .example =
                "Produce to 10.0.0.2:9092 answered NOT_LEADER_OR_FOLLOWER (6) for orders-0: The leader has moved: the "
                "client refreshes its metadata.",
            .sources = "Kafka's Errors; kafka#22617", .healthy = true, .instead = error_rules_instead);

}  // namespace kparse::lint
