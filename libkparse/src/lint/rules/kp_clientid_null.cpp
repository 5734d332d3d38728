// SPDX-License-Identifier: MIT
#include "lint/rule.h"

namespace kparse::lint {
namespace {

class ClientIdNull final : public Rule {
 public:
  using Rule::Rule;

  void begin_request(const Conn& c, const Request& r) override {
    if (r.header_version < 1 || !r.header_whole || !r.client_id.empty() || c.inter_broker) return;
    hit({}, [&](Text& t) { t << c.client() << " sends no client id."; });
  }
};

}  // namespace

KPARSE_RULE(kp_clientid_null, ClientIdNull, .id = "KP-CLIENTID-NULL", .severity = Severity::notice,
            .scope = RuleScope::connection,
            .condition = "The client id in a request header is null or empty (header version 1 or later), on a "
                         "connection not known to be between brokers.",
            .why = "Quotas, logs and metrics can't name this client; some old brokers and new implementations trip over "
                   "null.",
            .fix = "Set client.id.",
            .example = "10.0.0.1:50000 sends no client id.",
            .sources = "redpanda#6570; KAFKA-3088", .healthy = true);

}  // namespace kparse::lint
