// SPDX-License-Identifier: MIT
#include "lint/latency.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {{"slow-ms", 5000, "ms", "a request that takes longer is slow"}};

class Slow final : public LatencyRule {
 public:
  using LatencyRule::LatencyRule;

  void answered(const Conn&, const Response& r, const Latency& l) override {
    if (l.net() <= option(0)) return;
    const std::string what = api_text(r.api, r.api_key);
    hit({.cause = what}, [&](Text& t) {
      t << what << " v" << r.request_version << " took " << Decimal{l.ms, 0} << " ms (its answer began after "
        << Decimal{l.first_ms, 0} << " ms";
      if (l.wait_ms > 0) t << "; it may wait " << Decimal{l.wait_ms, 0} << " ms";
      if (l.behind_ms > 0) t << "; " << Decimal{l.behind_ms, 0} << " ms behind the request before it";
      t << ").";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_slow, Slow, .id = "KP-SLOW", .severity = Severity::warning, .scope = RuleScope::frame,
            .condition = "A request's latency is above slow-ms after the waits that it asks for: Fetch's and ShareFetch's "
                         "max wait, a rebalance in JoinGroup and SyncGroup, throttling, a Produce with acks=-1 that times "
                         "out; and the time that the request before it on the connection took.",
            .why = "The client's timeout is near.",
            .fix = "See whether it is the broker's time or the network's: report shows both.",
            .example = "Metadata v4 took 6000 ms (its answer began after 6000 ms).",
            .sources = "Allegro's post on tail latencies", .options = options);

}  // namespace kparse::lint
