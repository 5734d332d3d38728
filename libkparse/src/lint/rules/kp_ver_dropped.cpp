// SPDX-License-Identifier: MIT
#include "lint/refusal.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr std::string_view instead[] = {"KP-SASL-GSSAPI-RAW", "KP-FRAME-HTTP", "KP-FRAME-TLS"};

class Dropped final : public AdvertisedRule {
 public:
  using AdvertisedRule::AdvertisedRule;

  void advertised(const Conn& c, const Ranges& r) override { refusals_.advertised(c.server(), r); }
  void end_response(const Conn& c, const Response& r, const Error& e) override {
    AdvertisedRule::end_response(c, r, e);
    if (r.matched) refusals_.answered(c.server(), r.api_key, r.version);
  }

  // A broker takes one request after the other: the first that has no answer is the one it closed on.
  void on_unanswered(const Conn& c, const Asked& a) override {
    if (a.api_key != 18 && !first_.find(c)) first_[c] = {a, c.responses};
  }

  void on_close(const Conn& c, const Stamp&) override {
    const Unanswered* const u = first_.find(c);
    if (u && u->responses == c.responses && silence_counts(c) && ended_first(c, Side::server) && u->asked.whole &&
        refusals_.complete() && refusals_.likely(c.server(), u->asked)) {
      const Asked& a = u->asked;
      const std::string what = api_text(a.api, a.api_key) + " v" + std::to_string(a.version);
      hit({.api = a.api ? a.api->name : std::string_view{}, .cause = what, .conn = &c, .at = &a.first}, [&](Text& t) {
        t << c.server() << " closed the connection on " << what << " from " << who(c)
          << " without an answer: it doesn't take this version.";
      });
    }
    first_.drop(c);
  }

 private:
  struct Unanswered {
    Asked asked;
    std::uint64_t responses = 0;
  };
  Refusals refusals_{*this};
  PerConn<Unanswered> first_;
};

}  // namespace

KPARSE_RULE(kp_ver_dropped, Dropped, .id = "KP-VER-DROPPED", .severity = Severity::error,
            .scope = RuleScope::connection,
            .condition = "The last request before the server's FIN or RST has no answer, is not ApiVersions, and its version "
                         "is below the Kafka 4 floor, unknown here, or outside what the server advertised; or its API is "
                         "unknown. Not where the server answered such a request elsewhere in the capture.",
            .why = "Brokers close without an error code when they can't parse a request, so that the client only sees "
                   "\"disconnected\".",
            .fix = "Update the client.",
            .example = "10.0.0.9:9092 closed the connection on OffsetCommit v1 from 10.0.0.1:50000 "
                       "(\"legacy-agent\") without an answer: it doesn't take this version.",
            .sources = "KIP-896; kafka#18291; kafka-proxy#221", .instead = instead);

}  // namespace kparse::lint
