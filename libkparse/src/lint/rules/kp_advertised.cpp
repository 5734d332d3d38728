// SPDX-License-Identifier: MIT
#include <array>
#include <set>

#include "lint/keys.h"
#include "lint/rule.h"

namespace kparse::lint {
namespace {

constexpr double patience = 3;   // seconds without an answer to a SYN; it is sent again after one and after two more

std::string_view host_of(std::string_view endpoint) noexcept { return endpoint.substr(0, endpoint.rfind(':')); }

bool loopback(std::string_view host) noexcept {
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  return host == "localhost" || host.starts_with("127.") || host == "::1";
}
bool nowhere(std::string_view host) noexcept { return host.empty() || host == "0.0.0.0" || host == "::"; }

std::string endpoint(std::string_view host, std::int32_t port) {
  std::string e = host.find(':') == host.npos ? std::string(host) : '[' + std::string(host) + ']';
  return e += ':' + std::to_string(port);
}

class Advertised final : public Rule {
 public:
  using Rule::Rule;

  void on_broker(const BrokerSeen& b) override {
    const Response* const r = frames().response;
    if (!r || (r->api_key != 3 && r->api_key != 10 && r->api_key != 60)) return;
    if (b.id < 0 || b.port <= 0) return;   // FindCoordinator: there is none
    const Conn& c = conn();
    const std::string_view server = host_of(c.server());
    if (nowhere(b.host)) {
      say(c, r->frame.first, b, "nobody can connect to that address");
    } else if (loopback(b.host)) {
      // On the broker's own host loopback leads to it.
      if (!loopback(server) && server != c.client_host())
        say(c, r->frame.first, b, "that is the client's own host, the broker is at " + std::string(server));
    } else if (Told* const t = told_.get(endpoint(b.host, b.port), room_for_told_); t && t->witness.server.empty()) {
      t->witness = witness_of(c, r->frame.first);
      t->host = b.host;
      t->port = b.port;
    }
  }

  void on_segment(const Conn& c, const SegmentSeen& s) override {
    if (s.length > 0 || (s.has(SegmentSeen::syn) && s.has(SegmentSeen::ack))) {
      return reached(c);
    }
    if (!s.has(SegmentSeen::syn)) return;
    Try& t = trying_[c];
    if (!t.syn) t.begun = s.at;
    t.syn = true;
    ++t.syns;
  }

  void on_close(const Conn& c, const Stamp& at) override {
    const Try* const t = trying_.find(c);
    const bool refused = c.end[0] == End::rst || c.end[1] == End::rst;
    if (t && t->syn && !t->reached && (refused || t->syns >= 3 || seconds_between(t->begun, at) >= patience)) {
      if (Tries* const n = failed_.get(std::string(c.server()), room_for_failed_)) {
        if (n->count++ == 0) n->refused = refused;
      }
    }
    trying_.drop(c);
  }

  void on_finish(const Stamp&) override {
    if (room_for_reached_.left_out() > 0) return;   // any of them may have been
    for (auto& [where, t] : told_) {
      const Tries* const n = failed_.find(where);
      if (!n || reached_.contains(where)) continue;
      hit({.cause = where, .witness = &t.witness, .any_client = true}, [&, &t = t](Text& out) {
        out << t.witness.server << " tells clients to go to " << Quoted{t.host, 255} << ":" << t.port << ": "
            << (n->refused ? "connections there are refused" : "nobody answers there") << " and none succeeds.";
      });
    }
  }

 private:
  struct Try {
    bool syn = false, reached = false;
    std::uint32_t syns = 0;   ///< copies that the network or the capture made too: so three, not two
    Stamp begun;
  };
  struct Tries {
    std::uint64_t count = 0;
    bool refused = false;
  };
  struct Told {
    Witness witness;
    std::string host;
    std::int32_t port = -1;
  };

  void reached(const Conn& c) {
    Try& t = trying_[c];
    if (t.reached) return;
    t.reached = true;
    remember(c.server());
    if (!c.kafka && !t.syn) remember(c.client());   // who of the two is the server may not be clear yet
  }
  void remember(std::string_view where) {
    if (!reached_.contains(where) && room_for_reached_.beside(reached_.size())) reached_.emplace(where);
  }

  void say(const Conn& c, const Stamp& at, const BrokerSeen& b, const std::string& why) {
    const std::string where = endpoint(b.host, b.port);
    hit({.cause = where, .conn = &c, .at = &at, .any_client = true}, [&](Text& t) {
      t << c.server() << " tells clients to go to " << Quoted{b.host.empty() ? "\"\"" : b.host, 255} << ":" << b.port
        << ": " << why << ".";
    });
  }

  Room room_for_failed_{*this, "servers that don't answer"};
  Room room_for_told_{*this, "addresses of brokers"};
  Room room_for_reached_{*this, "servers that answer"};
  PerConn<Try> trying_;
  Bounded<std::string, Tries> failed_;
  Bounded<std::string, Told> told_;
  std::set<std::string, std::less<>> reached_;
};

}  // namespace

KPARSE_RULE(kp_advertised, Advertised, .id = "KP-ADVERTISED", .severity = Severity::error, .scope = RuleScope::capture,
            .condition = "A broker in a Metadata, FindCoordinator or DescribeCluster answer has host localhost, 127.*, ::1, "
                         "0.0.0.0, :: or an empty name, and the connection's server isn't on loopback or the client's own "
                         "host; or it has an address to which SYNs in the capture fail and that nobody ever reached.",
            .why = "Bootstrap works, everything after it is refused.",
            .fix = "Set advertised.listeners to an address that clients can reach.",
            .example = "10.0.0.9:9092 tells clients to go to localhost:9092: that is the client's own host, the "
                       "broker is at 10.0.0.9.",
            .sources = "kafkajs#769; kafka-ui#2021");

}  // namespace kparse::lint
