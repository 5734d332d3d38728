// SPDX-License-Identifier: MIT
#include "lint/telling.h"

namespace kparse::lint {
namespace {

/// Java's correlation ids for what goes before authentication: a version 0 there says nothing of the client.
constexpr std::int32_t reserved_ids = 0x7ffffff8;

class SoftwareMissing final : public Rule {
 public:
  using Rule::Rule;

  void begin_request(const Conn& c, const Request& r) override {
    if (r.api_key != 18 || !r.header_whole || c.inter_broker) return;
    if (r.version == 0 && r.correlation_id >= reserved_ids) return;
    Client* const k = clients_.get(std::string(c.client_host()) + '\n' + std::string(r.client_id), room_);
    if (!k || k->told) return;
    k->told = r.version >= 3;
    if (k->told || k->requests++ > 0) return;
    k->version = r.version;
    k->first = witness_of(c, r.frame.first);
  }

  void on_finish(const Stamp&) override {
    for (auto& [key, k] : clients_) {
      if (k.told) continue;
      hit({.api = "ApiVersions", .witness = &k.first, .count = k.requests}, [&, &k = k](Text& t) {
        t << who(k.first) << " doesn't tell its software name and version (ApiVersions v" << k.version << ").";
      });
    }
  }

 private:
  struct Client {
    bool told = false;
    int version = -1;
    std::uint64_t requests = 0;
    Witness first;
  };
  Room room_{*this, "clients"};
  Bounded<std::string, Client> clients_;
};

}  // namespace

KPARSE_RULE(kp_sw_missing, SoftwareMissing, .id = "KP-SW-MISSING", .severity = Severity::notice,
            .scope = RuleScope::client,
            .condition = "All ApiVersions requests of a client address and client id are below version 3; not counting the "
                         "version 0 that Java clients send before SASL. A retry after error 35 follows one that told.",
            .why = "Broker metrics and upgrade audits can't tell what it is.",
            .fix = "Update the client to one that sends ApiVersions v3 (KIP-511).",
            .example = "10.0.0.1:50000 (\"legacy-agent\") doesn't tell its software name and version (ApiVersions "
                       "v2).",
            .sources = "KIP-511; platformatic#343", .healthy = true);

}  // namespace kparse::lint
