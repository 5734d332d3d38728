// SPDX-License-Identifier: MIT
#include "lint/error_rule.h"

namespace kparse::lint {
namespace {

using ErrRefused = ErrorRule<Severity::error>;

}  // namespace

KPARSE_RULE(kp_err_refused, ErrRefused, .id = "KP-ERR-REFUSED", .severity = Severity::error, .scope = RuleScope::frame,
            .condition =
                "A response has an error code that is an error for that API (config, access, data, client, fencing), "
                "and no rule says it more exactly. Folded by client, API, code and topic or group.",
            .why = "The same request will be refused again until somebody changes something.",
            .fix = "As the message says for that code.",
            .example =
                "Produce to 10.0.0.2:9092 answered TOPIC_AUTHORIZATION_FAILED (29) for orders-0: Give the principal "
                "the ACL for this topic.",
            .sources = "Kafka's Errors", .instead = error_rules_instead);

}  // namespace kparse::lint
