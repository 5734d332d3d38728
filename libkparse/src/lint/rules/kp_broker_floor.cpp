// SPDX-License-Identifier: MIT
#include "kparse/releases.h"
#include "lint/advertised.h"

namespace kparse::lint {
namespace {

/// What every answer of a broker lists, and what tells releases apart best.
constexpr std::int16_t key_produce = 0, key_fetch = 1, key_metadata = 3;

/// "4.1" of "4.1.1", "0.10.2" of "0.10.2.2".
std::string_view line_of(std::string_view release) {
  std::size_t at = 0;
  for (int dots = release.starts_with("0.") ? 3 : 2; dots > 0; --dots) {
    at = release.find('.', at + 1);
    if (at == release.npos) return release;
  }
  return release.substr(0, at);
}

/// How many of the APIs that both list differ. Produce's lowest doesn't count: 4.x advertises 0 to be on good terms with
/// librdkafka.
int differences(const Ranges& told, std::size_t release) {
  int n = 0;
  for (const VersionsTold& v : told) {
    const Api* const api = find_api(v.api_key);
    if (!api) {
      ++n;
      continue;
    }
    const Versions s = support(*api, release).stable;
    n += s.empty() || s.hi != v.highest || (s.lo != v.lowest && v.api_key != key_produce);
  }
  return n;
}

class BrokerFloor final : public AdvertisedRule {
 public:
  using AdvertisedRule::AdvertisedRule;

  void advertised(const Conn& c, const Ranges& told) override {
    const VersionsTold* const fetch = find_range(told, key_fetch);
    if (!fetch || !find_range(told, key_produce) || !find_range(told, key_metadata)) return;
    const std::string cause(c.server());
    hit({.cause = cause, .any_client = true},
        [&](Text& t) { t << c.server() << " looks like Kafka " << generation(told, *fetch) << "."; });
  }

 private:
  static std::string generation(const Ranges& told, const VersionsTold& fetch) {
    std::size_t first = 0, last = 0;
    int best = -1;
    for (std::size_t r = 0; r < releases().size(); ++r) {
      if (releases()[r] == "trunk") continue;
      const int d = differences(told, r);
      if (best < 0 || d < best) {
        best = d;
        first = r;
      }
      if (d == best) last = r;
    }
    constexpr int optional = 3;   // telemetry, share groups, what a server adds or leaves out by its settings
    const std::string lo(line_of(releases()[first])), hi(line_of(releases()[last]));
    if (best >= 0 && best <= optional) return lo == hi ? lo : lo + " to " + hi;
    return fetch.lowest >= 4 ? "4.x" : "before 4.0 (nearest is " + lo + ")";
  }
};

}  // namespace

KPARSE_RULE(kp_broker_floor, BrokerFloor, .id = "KP-BROKER-FLOOR", .severity = Severity::info,
            .scope = RuleScope::capture,
            .condition = "An ApiVersions answer without error lists ranges that tell the broker's generation (Fetch from 4 on "
                         "is 4.x; Produce from 0 on says nothing: 4.x lists it on purpose). Once for each server.",
            .why = "It tells which clients it can still serve.", .fix = "Nothing.",
            .example = "10.0.0.9:9092 looks like Kafka 4.1.",
            .sources = "KIP-896; kafka#18727", .healthy = true);

}  // namespace kparse::lint
