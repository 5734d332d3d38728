// SPDX-License-Identifier: MIT
#include <algorithm>

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

/// Ids that brokers and controllers have among themselves: a node's number, or their own names.
bool of_a_node(std::string_view id) {
  if (id.starts_with("raft-client-") || id.starts_with("broker-") || id.starts_with("controller-")) return true;
  return !id.empty() && std::ranges::all_of(id, [](char c) { return c >= '0' && c <= '9'; });
}

class ControllerListener final : public AdvertisedRule {
 public:
  using AdvertisedRule::AdvertisedRule;

  void advertised(const Conn& c, const Ranges& r) override {
    if (of_controller(r)) listed_[c] = {r, c.requests, frames().response->frame.first};
  }

  void begin_request(const Conn& c, const Request& r) override {
    const Listed* const l = r.api_key == key_api_versions ? nullptr : listed_.find(c);
    if (!l) return;
    if (!find_range(l->ranges, r.api_key)) {
      hit({.cause = c.server()}, [&](Text& t) { say(t, who(c), c.server()); });
    } else if (Pair* const p = pairs_.get(key_of(c), room_)) {
      p->uses_it = true;
    }
  }

  // A client that finds nothing it could use closes. One that does use the listener, at another time, is at home there.
  void on_close(const Conn& c, const Stamp&) override {
    const Listed* const l = listed_.find(c);
    if (l && l->requests == c.requests && !c.inter_broker && !of_a_node(c.client_id) && !c.lost[0] && !c.lost[1] &&
        ended_first(c, Side::client)) {
      if (Pair* const p = pairs_.get(key_of(c), room_); p && p->silent++ == 0) p->first = witness_of(c, l->at);
    }
    listed_.drop(c);
  }

  void on_finish(const Stamp&) override {
    for (auto& [key, p] : pairs_) {
      if (p.uses_it || p.silent == 0) continue;
      hit({.api = "ApiVersions", .cause = p.first.server, .witness = &p.first, .count = p.silent},
          [&, &p = p](Text& t) { say(t, who(p.first), p.first.server); });
    }
  }

 private:
  struct Listed {
    Ranges ranges;
    std::uint64_t requests = 0;   ///< at the answer
    Stamp at;
  };
  struct Pair {
    bool uses_it = false;
    std::uint64_t silent = 0;   ///< connections without any other request
    Witness first;
  };

  static std::string key_of(const Conn& c) {
    return std::string(c.client_host()) + '\n' + c.client_id + '\n' + std::string(c.server());
  }
  static void say(Text& t, const Who& client, std::string_view server) {
    t << client << " talks to the controller listener " << server << ", which serves no clients.";
  }

  PerConn<Listed> listed_;
  Room room_{*this, "clients of a server"};
  Bounded<std::string, Pair> pairs_;
};

}  // namespace

KPARSE_RULE(kp_controller_listener, ControllerListener, .id = "KP-CONTROLLER-LISTENER", .severity = Severity::error,
            .scope = RuleScope::connection,
            .condition = "An ApiVersions answer without error lists BrokerRegistration or Vote but neither Produce nor "
                         "Metadata, and the client then sends an API that isn't listed, or closes without any other "
                         "request. Brokers use listed APIs.",
            .why = "Produce and Metadata don't exist there: the client finds no usable version.",
            .fix = "Use the brokers' listener in bootstrap.servers (bootstrap.controllers is for admin tools only).",
            .example = "10.0.0.1:50000 (\"billing\") talks to the controller listener 10.0.0.9:9092, which serves no "
                       "clients.",
            .sources = "librdkafka#4203");

}  // namespace kparse::lint
