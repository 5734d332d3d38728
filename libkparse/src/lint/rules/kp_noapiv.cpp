// SPDX-License-Identifier: MIT
#include "lint/telling.h"

namespace kparse::lint {
namespace {

std::string key_of(const Conn& c) { return std::string(c.client_host()) + '\n' + c.client_id; }

class NoApiVersions final : public Rule {
 public:
  using Rule::Rule;

  void begin_request(const Conn& c, const Request& r) override {
    if (!r.header_whole) return;
    bool& asked = asked_[c];
    if (r.api_key == 18 && !asked) {
      asked = true;
      if (Client* const k = clients_.get(key_of(c), room_)) k->asked = true;
    }
  }

  void on_close(const Conn& c, const Stamp&) override {
    const bool* const asked = asked_.find(c);
    if (asked && !*asked && c.from_syn && !c.inter_broker && !c.lost[0] && !c.lost[1]) {
      if (Client* const k = clients_.get(key_of(c), room_); k && k->connections++ == 0) k->first = witness_of(c, c.opened);
    }
    asked_.drop(c);
  }

  void on_finish(const Stamp&) override {
    for (auto& [key, k] : clients_) {
      if (k.asked || k.connections == 0) continue;
      hit({.witness = &k.first, .count = k.connections},
          [&, &k = k](Text& t) { t << who(k.first) << " never asks for the broker's versions."; });
    }
  }

 private:
  struct Client {
    bool asked = false;
    std::uint64_t connections = 0;
    Witness first;
  };
  PerConn<bool> asked_;
  Room room_{*this, "clients"};
  Bounded<std::string, Client> clients_;
};

}  // namespace

KPARSE_RULE(kp_noapiv, NoApiVersions, .id = "KP-NOAPIV", .severity = Severity::notice, .scope = RuleScope::client,
            .condition = "A connection seen from its SYN sends requests and never ApiVersions, and no other connection of the "
                         "same client address and client id sent it either.",
            .why = "The client guesses: such clients break when old versions are removed. Second connections without "
                   "ApiVersions (kafkajs, kafka-go) are normal and don't count.",
            .fix = "Update the client, or turn version negotiation on.",
            .example = "10.0.0.1:50000 (\"legacy-agent\") never asks for the broker's versions.",
            .sources = "KIP-35; kafka#18291", .healthy = true);

}  // namespace kparse::lint
