// SPDX-License-Identifier: MIT
#include <algorithm>

#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr std::int16_t key_api_versions = 18;
constexpr RuleOption options[] = {{"apiv-noreply-seconds", 10, "s", "how long an answer may take"}};
constexpr std::string_view instead[] = {"KP-FRAME-HTTP", "KP-FRAME-TLS"};

class NoReply final : public Rule {
 public:
  using Rule::Rule;

  void on_unanswered(const Conn& c, const Asked& a) override {
    if (a.api_key == key_api_versions && !waiting_.find(c)) waiting_[c] = {a, c.responses, false};
  }

  // The rest of the connection tells why. The last packet of a connection still open is when its silence was last seen.
  void on_close(const Conn& c, const Stamp& at) override {
    const Waiting* const w = waiting_.find(c);
    if (w && !w->told && silence_counts(c)) judge(c, *w, std::max(at.time_ns, c.last.time_ns));
    waiting_.drop(c);
  }

  void on_other(const Conn& c, Side from, std::string_view what, const Stamp&) override {
    if (from != Side::server || !silence_counts(c)) return;
    for (const Asked& a : c.outstanding)
      if (a.api_key == key_api_versions) {
        waiting_[c].told = true;
        return say(c, a, "what came is " + std::string(what));
      }
  }

 private:
  struct Waiting {
    Asked asked;
    std::uint64_t responses = 0;
    bool told = false;
  };

  void judge(const Conn& c, const Waiting& w, std::int64_t until) {
    const double limit = option(0);
    const auto seconds = [&w](std::int64_t t) { return static_cast<double>(t - w.asked.completed.time_ns) / 1e9; };
    if (answered_later(c, w))
      return say(c, w.asked, "later requests were answered instead");
    if (ended_first(c, Side::server)) return say(c, w.asked, "the server closed the connection");
    const auto client = static_cast<std::size_t>(c.direction_of(Side::client));
    const bool gave_up = c.end[client] != End::open;
    const double waited = seconds(gave_up ? c.ended[client].time_ns : until);
    if (waited >= limit)
      say(c, w.asked, (gave_up ? "the client gave up after " : "none within ") + text_of(waited) + " s");
  }

  /// It was given up since answers to later requests came; or there are more answers than requests before it.
  static bool answered_later(const Conn& c, const Waiting& w) {
    return c.responses > w.responses || w.responses > w.asked.serial;
  }

  static std::string text_of(double seconds) {
    Text t;
    t << Decimal{seconds};
    return std::move(t).take();
  }

  void say(const Conn& c, const Asked& a, const std::string& detail) {
    hit({.api = "ApiVersions", .conn = &c, .at = &a.first}, [&](Text& t) {
      t << "ApiVersions v" << a.version << " from " << c.client() << " got no answer: " << detail << ".";
    });
  }

  PerConn<Waiting> waiting_;
};

}  // namespace

KPARSE_RULE(kp_apiv_noreply, NoReply, .id = "KP-APIV-NOREPLY", .severity = Severity::warning,
            .scope = RuleScope::connection,
            .condition = "An ApiVersions request has no Kafka answer: some seconds passed on the open connection, later "
                         "requests were answered instead, the server closed, or its next bytes aren't Kafka. Not where "
                         "bytes are missing or the capture ends too early.",
            .why = "The broker is older than 0.10 (0.9 ignores the request, 0.8 closes), stalled, or no Kafka broker.",
            .fix = "Check what listens there. For brokers before 0.10 set api.version.request=false (librdkafka), or the "
                   "client's broker version by hand.",
            .example = "ApiVersions v3 from 10.0.0.1:50000 got no answer: the client gave up after 12 s.",
            .sources = "KIP-35; fluent-bit#6399; kcat#67; aiokafka#91", .options = options, .instead = instead);

}  // namespace kparse::lint
