// SPDX-License-Identifier: MIT
#include <map>
#include <set>
#include <utility>

#include "lint/advertised.h"

namespace kparse::lint {
namespace {

constexpr std::int16_t key_produce = 0, key_metadata = 3, key_api_versions = 18;

using Endpoint = std::pair<std::string, std::int32_t>;

/// On clients' listeners, not on controllers'.
bool for_clients(const Ranges& r) { return find_range(r, key_produce) && find_range(r, key_metadata); }

std::string_view port_of(std::string_view server) { return server.substr(server.rfind(':') + 1); }

class Mixed final : public AdvertisedRule {
 public:
  using AdvertisedRule::AdvertisedRule;

  void begin_response(const Conn&, const Response& r) override {
    metadata_ = r.matched && r.api_key == key_metadata;
    brokers_.clear();
  }
  void on_broker(const BrokerSeen& b) override {
    if (!metadata_) return;
    Endpoint e(b.host, b.port);
    if (!brokers_.contains(e) && room_for_brokers_.beside(brokers_.size())) brokers_.insert(std::move(e));
  }
  void end_response(const Conn& c, const Response& r, const Error& e) override {
    AdvertisedRule::end_response(c, r, e);
    if (metadata_ && brokers_.size() > 1 && !clusters_.contains(brokers_) && room_for_clusters_.beside(clusters_.size()))
      clusters_.emplace(brokers_, r.frame.first);
  }
  void advertised(const Conn& c, const Ranges& r) override {
    if (for_clients(r)) servers_.put(c.server(), r);
  }

  void on_finish(const Stamp&) override {
    for (const auto& [brokers, at] : clusters_)
      if (compare(brokers, at)) return;
  }

 private:
  /// The servers of the capture that are these brokers: by address, or, where names hide it, by a port that only one
  /// broker and one server have.
  std::map<std::string, const Ranges*> members(const std::set<Endpoint>& brokers) const {
    std::map<std::string, const Ranges*> found;
    for (const Endpoint& b : brokers) {
      const std::string port = std::to_string(b.second);
      if (const Ranges* const r = servers_.find(b.first + ':' + port)) {
        found[b.first + ':' + port] = r;
        continue;
      }
      if (const Ranges* const r = servers_.find('[' + b.first + "]:" + port)) {
        found['[' + b.first + "]:" + port] = r;
        continue;
      }
      int same_port = 0;
      for (const Endpoint& other : brokers) same_port += other.second == b.second;
      const std::string* name = nullptr;
      const Ranges* ranges = nullptr;
      int servers = 0;
      for (const auto& [server, r] : servers_) {
        if (port_of(server) != port) continue;
        ++servers;
        name = &server;
        ranges = &r;
      }
      if (same_port == 1 && servers == 1) found[*name] = ranges;
    }
    return found;
  }

  bool compare(const std::set<Endpoint>& brokers, const Stamp& at) {
    const auto found = members(brokers);
    if (found.size() < 2) return false;
    const auto& [first, expected] = *found.begin();
    for (const auto& [server, ranges] : found) {
      for (const VersionsTold& v : *ranges) {
        const VersionsTold* const w = v.api_key == key_api_versions ? nullptr : find_range(*expected, v.api_key);
        if (!w || (w->lowest == v.lowest && w->highest == v.highest)) continue;
        say(first, *w, server, v, at);
        return true;
      }
    }
    return false;
  }

  void say(const std::string& a, const VersionsTold& of_a, const std::string& b, const VersionsTold& of_b, const Stamp& at) {
    const std::string cause = a + ' ' + b;
    hit({.cause = cause, .at = &at, .any_client = true}, [&](Text& t) {
      const bool tops = of_a.highest != of_b.highest;
      t << "Brokers " << a << " and " << b << " advertise different versions (for example "
        << api_text(find_api(of_a.api_key), of_a.api_key) << (tops ? " up to " : " from ")
        << (tops ? of_a.highest : of_a.lowest) << " and " << (tops ? of_b.highest : of_b.lowest)
        << "): an upgrade is under way, or a proxy answers.";
    });
  }

  bool metadata_ = false;
  std::set<Endpoint> brokers_;
  std::map<std::set<Endpoint>, Stamp> clusters_;
  Room room_for_brokers_{*this, "a cluster's brokers", 1000};
  Room room_for_clusters_{*this, "clusters", 1000};
  Servers servers_{*this};
};

}  // namespace

KPARSE_RULE(kp_ver_mixed, Mixed, .id = "KP-VER-MIXED", .severity = Severity::notice, .scope = RuleScope::capture,
            .condition = "Two brokers that one Metadata answer names advertise different ranges for an API on clients' "
                         "listeners.",
            .why = "A client that negotiates only once sends the wrong versions to some of them.",
            .fix = "Finish the rolling upgrade. For clients that don't cope see KP-VER-RANGE.",
            .example = "Brokers 10.0.0.8:9092 and 10.0.0.9:9092 advertise different versions (for example Fetch up "
                       "to 17 and 16): an upgrade is under way, or a proxy answers.",
            .sources = "kafkajs#1656", .healthy = true);

}  // namespace kparse::lint
