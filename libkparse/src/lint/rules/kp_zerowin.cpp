// SPDX-License-Identifier: MIT
#include <vector>

#include "lint/kafka_servers.h"
#include "lint/keys.h"
#include "lint/rule.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {{"zerowin-min", 3, "", "times that the window closes"},
                                  {"zerowin-ms", 200, "ms", "or once for longer than this"}};

class ZeroWindow final : public Rule {
 public:
  using Rule::Rule;

  void on_segment(const Conn& c, const SegmentSeen& s) override {
    if (s.duplicate || !s.has(SegmentSeen::ack)) return;
    const bool zero = s.window == 0 && (s.flags & (SegmentSeen::syn | SegmentSeen::rst)) == 0;
    Reader* r = nullptr;
    if (auto* const both = readers_.find(c)) r = &(*both)[static_cast<std::size_t>(s.direction)];
    if (zero) {
      if (!r) r = &readers_[c][static_cast<std::size_t>(s.direction)];
      if (!r->closed && room_.beside(r->times.size(), c.kafka)) r->times.push_back({s.at, {}});
      r->closed = true;
    } else if (r && r->closed) {
      r->closed = false;
      if (!r->times.empty()) r->times.back().to = s.at;
    }
  }

  // Whether a frame was on its way is known when it is there.
  void begin_request(const Conn& c, const Request& r) override { frame(c, r.frame); }
  void begin_response(const Conn& c, const Response& r) override { frame(c, r.frame); }

  void on_close(const Conn& c, const Stamp&) override {
    if (const auto* const both = readers_.find(c); both && c.kafka) {
      for (const Side side : {Side::client, Side::server}) {
        const Reader& r = (*both)[static_cast<std::size_t>(c.direction_of(side))];
        if (r.count == 0 || (static_cast<double>(r.count) < option(0) && r.longest_ms <= option(1))) continue;
        hit({.cause = name_of_side(side), .at = &r.first, .count = r.count}, [&](Text& t) {
          t << name_of_side(side) << " " << address_of(c, side) << " closed its receive window "
            << (r.count == 1 ? std::string("once") : std::to_string(r.count) + " times") << " (" << Decimal{r.ms, 0}
            << " ms in all): it reads slower than data comes.";
        });
      }
    }
    readers_.drop(c);
  }

 private:
  struct Closed {
    Stamp from, to;
  };
  struct Reader {
    bool closed = false;
    std::vector<Closed> times;   ///< not yet known to be inside a frame
    std::uint64_t count = 0;
    double ms = 0, longest_ms = 0;
    Stamp first;
  };

  void frame(const Conn& c, const Frame& f) {
    auto* const both = readers_.find(c);
    if (!both) return;
    Reader& r = (*both)[1 - static_cast<std::size_t>(c.direction_of(f.from))];
    for (const Closed& x : r.times) {
      if (x.from.time_ns < f.first.time_ns || x.from.time_ns > f.completed.time_ns) continue;
      if (r.count++ == 0) r.first = x.from;
      const double ms = seconds_between(x.from, x.to.packet != 0 ? x.to : f.completed) * 1e3;
      r.ms += ms;
      r.longest_ms = std::max(r.longest_ms, ms);
    }
    std::erase_if(r.times, [&f](const Closed& x) { return x.from.time_ns <= f.completed.time_ns; });
  }

  Room room_{*this, "a connection's closed windows before the end of a frame", 1024};
  PerConn<std::array<Reader, 2>> readers_;
};

}  // namespace

KPARSE_RULE(kp_zerowin, ZeroWindow, .id = "KP-ZEROWIN", .severity = Severity::warning, .scope = RuleScope::connection,
            .condition = "While a frame is on its way its receiver announces window 0 at least zerowin-min times, or once for "
                         "longer than zerowin-ms.",
            .why = "A small receive buffer or a slow reader limits the throughput, not the broker or the network.",
            .fix = "Raise receive.buffer.bytes, or let the application read faster.",
            .example = "client 10.0.0.1:50000 closed its receive window once (300 ms in all): it reads slower "
                       "than data comes.",
            .sources = "logstash-integration-kafka#209; RFC 9293", .options = options);

}  // namespace kparse::lint
