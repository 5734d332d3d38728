// SPDX-License-Identifier: MIT
#include "lint/kafka_servers.h"
#include "lint/rule.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {{"retrans-share", 1, "%", "of the data segments of a direction"},
                                  {"retrans-min", 5, "", "segments, at least"}};

class Retrans final : public Rule {
 public:
  using Rule::Rule;

  void on_segment(const Conn& c, const SegmentSeen& s) override {
    if (s.length == 0 || s.duplicate || s.keepalive) return;
    Count& n = count_[c][static_cast<std::size_t>(s.direction)];
    ++n.segments;
    if (s.again && n.again++ == 0) n.first = s.at;
  }

  void on_close(const Conn& c, const Stamp&) override {
    if (const auto* const both = count_.find(c); both && c.kafka) {
      for (const Side side : {Side::client, Side::server}) {
        const Count& n = (*both)[static_cast<std::size_t>(c.direction_of(side))];
        const auto again = static_cast<double>(n.again);
        if (n.again == 0 || again < option(1) || again * 100 <= option(0) * static_cast<double>(n.segments)) continue;
        hit({.cause = name_of_side(side), .at = &n.first, .count = n.again}, [&](Text& t) {
          t << n.again << " of " << n.segments << " segments from " << name_of_side(side) << " " << address_of(c, side)
            << " were sent again.";
        });
      }
    }
    count_.drop(c);
  }

 private:
  struct Count {
    std::uint64_t segments = 0, again = 0;
    Stamp first;
  };
  PerConn<std::array<Count, 2>> count_;
};

}  // namespace

KPARSE_RULE(kp_retrans, Retrans, .id = "KP-RETRANS", .severity = Severity::notice, .scope = RuleScope::connection,
            .condition = "More than retrans-share of a direction's data segments, and at least retrans-min, have bytes that "
                         "were sent before. Keep-alives, and packets that the capture has twice, don't count.",
            .why = "Loss or reordering on the path adds latency that isn't the broker's.",
            .fix = "Compare with interface counters; see whether the capture itself has packets twice (two interfaces).",
            .example = "5 of 10 segments from client 10.0.0.1:50000 were sent again.", .sources = "dpkp/kafka-python#73; RFC 9293",
            .options = options);

}  // namespace kparse::lint
