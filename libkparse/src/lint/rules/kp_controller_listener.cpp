// SPDX-License-Identifier: MIT
#include "lint/advertised.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr std::int16_t key_produce = 0, key_metadata = 3, key_api_versions = 18, key_vote = 52,
                       key_broker_registration = 62;

bool of_controller(const Ranges& r) {
  return (find_range(r, key_vote) || find_range(r, key_broker_registration)) && !find_range(r, key_produce) &&
         !find_range(r, key_metadata);
}

class ControllerListener final : public AdvertisedRule {
 public:
  using AdvertisedRule::AdvertisedRule;

  void advertised(const Conn& c, const Ranges& r) override {
    if (of_controller(r)) listed_[c] = {r, c.requests, frames().response->frame.first};
  }

  void begin_request(const Conn& c, const Request& r) override {
    if (r.api_key == key_api_versions) return;
    const Listed* const l = listed_.find(c);
    if (l && !find_range(l->ranges, r.api_key)) say(c, r.frame.first);
  }

  void on_close(const Conn& c, const Stamp&) override {
    const Listed* const l = listed_.find(c);
    if (l && l->requests == c.requests && !c.inter_broker && !c.lost[0] && !c.lost[1] && ended_first(c, Side::client))
      say(c, l->at);
    listed_.drop(c);
  }

 private:
  struct Listed {
    Ranges ranges;
    std::uint64_t requests = 0;   ///< at the answer
    Stamp at;
  };

  void say(const Conn& c, const Stamp& at) {
    hit({.conn = &c, .at = &at}, [&](Text& t) {
      t << who(c) << " talks to the controller listener " << c.server() << ", which serves no clients.";
    });
  }

  PerConn<Listed> listed_;
};

}  // namespace

KPARSE_RULE(kp_controller_listener, ControllerListener, .id = "KP-CONTROLLER-LISTENER", .severity = Severity::error,
            .scope = RuleScope::connection,
            .condition = "An ApiVersions answer without error lists BrokerRegistration or Vote but neither Produce nor "
                         "Metadata, and the client then sends an API that isn't listed, or closes without any other "
                         "request. Brokers use listed APIs.",
            .why = "Produce and Metadata don't exist there: the client finds no usable version.",
            .fix = "Use the brokers' listener in bootstrap.servers (bootstrap.controllers is for admin tools only).",
            .example = "10.0.0.1:4711 (\"billing\") talks to the controller listener 10.0.0.2:9093, which serves no clients.",
            .sources = "librdkafka#4203");

}  // namespace kparse::lint
