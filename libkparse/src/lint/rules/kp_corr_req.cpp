// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "lint/rule.h"

namespace kparse::lint {
namespace {

constexpr std::size_t looked_at = 256;

class SameId final : public Rule {
 public:
  using Rule::Rule;

  // The engine has put this one behind the others already.
  void begin_request(const Conn& c, const Request& r) override {
    if (!r.answer_expected || !r.header_whole) return;
    const auto [highest, first] = seen(c);
    const bool above = first || r.correlation_id > *highest;   // of all so far: so it is with nearly all clients
    if (above) *highest = r.correlation_id;
    if (above || c.outstanding.size() < 2) return;
    const std::size_t all = c.outstanding.size() - 1;
    for (std::size_t n = all - std::min(all, looked_at); n < all; ++n) {
      const Asked& a = c.outstanding[n];
      if (a.correlation_id != r.correlation_id || a.serial == r.serial) continue;
      hit({}, [&](Text& t) {
        t << "Requests in packets " << a.first.packet << " and " << r.frame.first.packet
          << " are both outstanding with correlation id " << r.correlation_id << ".";
      });
      return;
    }
  }
  void on_close(const Conn& c, const Stamp&) override { highest_.drop(c); }

 private:
  std::pair<std::int32_t*, bool> seen(const Conn& c) {
    if (std::int32_t* const there = highest_.find(c)) return {there, false};
    return {&highest_[c], true};
  }
  PerConn<std::int32_t> highest_;
};

}  // namespace

KPARSE_RULE(kp_corr_req, SameId, .id = "KP-CORR-REQ", .severity = Severity::notice, .scope = RuleScope::connection,
            .condition = "Two requests that wait for their answers on one connection have the same correlation id. Ids that "
                         "merely go backwards or have gaps are normal.",
            .why = "Their answers can be told apart by order only (pykafka and the old SimpleConsumer always send 0).",
            .fix = "Count correlation ids up on each connection.",
            .example = "Requests in packets 4 and 6 are both outstanding with correlation id 7.",
            .sources = "kafka-python#1748; pykafka", .healthy = true);

}  // namespace kparse::lint
