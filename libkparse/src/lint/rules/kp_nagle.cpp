// SPDX-License-Identifier: MIT
#include "lint/kafka_servers.h"
#include "lint/keys.h"
#include "lint/send_rule.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {{"nagle-ms", 35, "ms", "an ACK that comes so late was delayed"},
                                  {"nagle-min", 3, "", "times, before it is told"}};

class Nagle final : public SendRule {
 public:
  using SendRule::SendRule;

  double pause_of(const Sending& me, const SegmentSeen& s) const override {
    if (s.length >= (me.mss == 0 ? 536u : me.mss) || !me.acked_known || me.acked < s.offset) return 0;
    const double wait = seconds_between(me.last, me.acked_at) * 1e3, after = seconds_between(me.acked_at, s.at) * 1e3;
    // RFC 1122: an ACK is delayed by less than 500 ms. What leaves long after it waited for something else.
    return wait >= option(0) && wait <= 500 && after <= std::max(5.0, wait / 4) ? wait : 0;
  }

  void paused(const Conn& c, const Frame& f, const Api*, const Pause& p) override {
    if (p.offset + p.length < f.offset + 4 + f.size) return;   // not its last segment
    Seen& s = seen_[c][static_cast<std::size_t>(f.from)];
    if (s.count++ == 0) s.first = p.after;
    s.ms += p.ms;
  }

  void on_close(const Conn& c, const Stamp& at) override {
    if (const auto* const both = seen_.find(c)) {
      for (const Side side : {Side::client, Side::server}) {
        const Seen& s = (*both)[static_cast<std::size_t>(side)];
        if (s.count == 0 || static_cast<double>(s.count) < option(1)) continue;
        hit({.cause = name_of_side(side), .conn = &c, .at = &s.first, .count = s.count}, [&](Text& t) {
          t << name_of_side(side) << " " << address_of(c, side)
            << " waits for ACKs before it sends the last part of a frame: about "
            << Decimal{s.ms / static_cast<double>(s.count), 0} << " ms each, " << s.count << " times.";
        });
      }
    }
    seen_.drop(c);
    SendRule::on_close(c, at);
  }

 private:
  struct Seen {
    std::uint64_t count = 0;
    double ms = 0;
    Stamp first;
  };
  PerConn<std::array<Seen, 2>> seen_;
};

}  // namespace

KPARSE_RULE(kp_nagle, Nagle, .id = "KP-NAGLE", .severity = Severity::warning, .scope = RuleScope::connection,
            .condition = "At least nagle-min times a frame's last segment, shorter than the MSS, leaves only after an ACK that "
                         "came nagle-ms or more after the segment before it. Not inside TLS.",
            .why = "Nagle's algorithm and delayed ACKs together add some 40 ms to requests of certain sizes.",
            .fix = "Set TCP_NODELAY (socket.nagle.disable=true in librdkafka).",
            .example = "client 10.0.0.1:50000 waits for ACKs before it sends the last part of a frame: about 40 "
                       "ms each, 3 times.",
            .sources = "librdkafka#4986; confluent-kafka-dotnet#1734; RFC 1122", .options = options);

}  // namespace kparse::lint
