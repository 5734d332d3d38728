// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "lint/rule.h"

namespace kparse::lint {
namespace {

class Acks0Reply final : public Rule {
 public:
  using Rule::Rule;

  void begin_request(const Conn& c, const Request& r) override {
    if (r.answer_expected) return;
    Silent& s = silent_[c];
    s.ids[s.count++ % s.ids.size()] = r.correlation_id;
  }
  // Once later requests are answered, nobody waits for this one's answer: then it comes without a request.
  void begin_response(const Conn& c, const Response& r) override {
    const bool direct = r.matched && !r.expected;
    if (!direct && r.matched) return;
    if (!direct) {
      const Silent* const s = silent_.find(c);
      if (!s || !r.header_whole) return;
      const auto end = s->ids.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(s->count, s->ids.size()));
      if (std::find(s->ids.begin(), end, r.correlation_id) == end) return;
    }
    hit({.api = "Produce"}, [&](Text& t) {
      t << c.server() << " answered a Produce with acks=0 (id " << r.correlation_id << ").";
    });
  }
  void on_close(const Conn& c, const Stamp&) override { silent_.drop(c); }

 private:
  struct Silent {
    std::array<std::int32_t, 64> ids{};
    std::uint64_t count = 0;
  };
  PerConn<Silent> silent_;
};

}  // namespace

KPARSE_RULE(kp_acks0_reply, Acks0Reply, .id = "KP-ACKS0-REPLY", .severity = Severity::error, .scope = RuleScope::frame,
            .condition = "A response has the correlation id of a Produce request with acks=0.",
            .why = "Clients have no such request in flight any more and disconnect.",
            .fix = "It is a bug of the server or proxy: acks=0 is never answered.",
            .example = "10.0.0.9:9092 answered a Produce with acks=0 (id 0).", .sources = "kop#1875");

}  // namespace kparse::lint
