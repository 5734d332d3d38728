// SPDX-License-Identifier: MIT
#include "lint/rule.h"

namespace kparse::lint {
namespace {

constexpr std::string_view instead[] = {"KP-CORR"};

class Orphan final : public Rule {
 public:
  using Rule::Rule;

  void begin_response(const Conn& c, const Response& r) override {
    if (r.matched || desk_.said_here("KP-CORR")) return;
    Count& n = count_[c];
    if (n.responses++ == 0) n.first = r.frame.first;
  }
  void on_close(const Conn& c, const Stamp&) override {
    if (const Count* const n = count_.find(c); n && n->responses > 0) {
      const std::string cause = std::to_string(c.number);
      hit({.cause = cause, .at = &n->first, .count = n->responses}, [&](Text& t) {
        t << n->responses << (n->responses == 1 ? " response" : " responses") << " on " << c.client() << " to " << c.server()
          << (n->responses == 1 ? " has" : " have") << " no request in the capture.";
      });
    }
    count_.drop(c);
  }

 private:
  struct Count {
    std::uint64_t responses = 0;
    Stamp first;
  };
  PerConn<Count> count_;
};

}  // namespace

KPARSE_RULE(kp_corr_orphan, Orphan, .id = "KP-CORR-ORPHAN", .severity = Severity::info, .scope = RuleScope::connection,
            .condition = "Responses have no request, since the capture began later or lost it. Once for a connection, with "
                         "their number.",
            .why = "Without the request the API isn't known, so the body isn't decoded.",
            .fix = "Start the capture before the clients to see them.",
            .example = "2 responses on 10.0.0.1:50000 to 10.0.0.9:9092 have no request in the capture.",
            .sources = "Kafka's response header has no API key", .healthy = true, .instead = instead);

}  // namespace kparse::lint
