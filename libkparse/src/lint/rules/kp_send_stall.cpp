// SPDX-License-Identifier: MIT
#include "lint/kafka_servers.h"
#include "lint/keys.h"
#include "lint/send_rule.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {{"stall-ms", 200, "ms", "a longer pause inside a frame is told"}};

class Stall final : public SendRule {
 public:
  using SendRule::SendRule;

  double pause_of(const Sending& me, const SegmentSeen& s) const override {
    if (!me.acked_known || me.acked < s.offset || !me.window_known || me.window == 0) return 0;
    Stamp from = me.last;
    for (const Stamp& later : {me.acked_at, me.opened_at})
      if (later.time_ns > from.time_ns) from = later;
    const double ms = seconds_between(from, s.at) * 1e3;
    return ms > option(0) ? ms : 0;
  }

  void paused(const Conn& c, const Frame& f, const Api* api, const Pause& p) override {
    const std::string_view name = api ? api->name : f.from == Side::client ? "unknown" : "response";
    hit({.cause = name_of_side(f.from), .at = &p.before}, [&](Text& t) {
      t << name_of_side(f.from) << " " << address_of(c, f.from) << " paused " << Decimal{p.ms, 0} << " ms inside the "
        << name << " frame in packets " << f.first.packet << " to " << f.last.packet << ".";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_send_stall, Stall, .id = "KP-SEND-STALL", .severity = Severity::notice, .scope = RuleScope::frame,
            .condition = "Between two segments of one frame the sender paused longer than stall-ms, though the peer's window "
                         "was open and all before was acknowledged. Not inside TLS.",
            .why = "The delay is in the sending process (CPU, garbage collection, a lock), not on the network.",
            .fix = "Look at the sender's CPU and pauses at that time.",
            .example = "client 10.0.0.1:50000 paused 300 ms inside the Metadata frame in packets 4 to 6.",
            .sources = "librdkafka#4919", .options = options);

}  // namespace kparse::lint
