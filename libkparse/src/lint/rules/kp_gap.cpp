// SPDX-License-Identifier: MIT
#include "lint/kafka_servers.h"
#include "lint/rule.h"

namespace kparse::lint {
namespace {

class Missed final : public Rule {
 public:
  using Rule::Rule;

  void on_gap(const Conn& c, const Gap& g) override {
    hit({.cause = name_of_side(g.from), .at = &g.at}, [&](Text& t) {
      t << g.bytes << " bytes of " << name_of_side(g.from) << " " << address_of(c, g.from)
        << " are missing in the capture at stream offset " << g.offset << "; frames within aren't shown.";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_gap, Missed, .id = "KP-GAP", .severity = Severity::notice, .scope = RuleScope::connection,
            .condition = "Bytes of a Kafka stream were sent, as later bytes, a FIN or the peer's ACK prove, but aren't in the "
                         "capture, or were cut by the snapshot length. Reading goes on at the next header.",
            .why = "Counts after it are lower bounds. Nothing about the gap is the sender's fault.",
            .fix = "Capture with a larger buffer (tcpdump -B), on one interface, or nearer to the host.",
            .example = "45 bytes of client 10.0.0.1:50000 are missing in the capture at stream offset 24; frames "
                       "within aren't shown.",
            .sources = "RFC 9293", .healthy = true);

}  // namespace kparse::lint
