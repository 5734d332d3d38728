// SPDX-License-Identifier: MIT
#include <array>
#include <vector>

#include "lint/kafka_servers.h"
#include "lint/rule.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

bool record_header(Bytes b) noexcept {
  return b.size() >= 4 && b[0] >= 0x14 && b[0] <= 0x17 && b[1] == 3 && b[2] <= 4;
}

class Tls final : public Rule {
 public:
  using Rule::Rule;

  void on_conversation(const Conn& c) override { servers_.learn(c); }

  void on_not_a_frame(const Conn& c, const NotAFrame& n) override {
    if (!n.kafka || !n.first || !record_header(n.bytes) || n.from != Side::server) return;
    const std::string_view what = n.bytes[0] == 0x15 ? "a TLS alert" : "a TLS record";
    hit({.cause = "server"}, [&](Text& t) {
      t << "server " << c.server() << " speaks TLS but the other side doesn't: it answers plain requests with " << what
        << ".";
    });
  }

  void on_segment(const Conn& c, const SegmentSeen& s) override {
    if (!c.kafka && s.length > 0) state_[c].data[static_cast<std::size_t>(s.direction)] = true;
  }
  void on_other(const Conn& c, Side from, std::string_view what, const Stamp& at) override {
    if (what == "TLS" && from == Side::client) state_[c].begun = at;
  }

  void on_close(const Conn& c, const Stamp&) override {
    const State* const s = state_.find(c);
    const TlsInfo* const tls = c.info->tls;
    const bool open = tls && tls->version == 0 && tls->alert.empty();   // of the handshake nothing came from the server
    const bool silent = s && !s->data[static_cast<std::size_t>(c.direction_of(Side::server))];
    const bool unanswered = open && (tls->client.why == TlsSealed::noAnswer || silent);
    const bool over = c.end[0] != End::open || c.end[1] != End::open;
    if (s && s->begun.packet != 0 && unanswered && over && c.from_syn && !c.lost[0] && !c.lost[1] && room_.beside(waiting_.size())) {
      const bool server = ended_first(c, Side::server);
      waiting_.push_back({server, server && c.how_ended(Side::server) == End::rst, witness_of(c, s->begun)});
    }
    state_.drop(c);
  }

  void on_finish(const Stamp&) override {
    for (const Found& f : waiting_) {
      if (!servers_.likely(f.witness.server)) continue;
      hit({.cause = "client", .witness = &f.witness}, [&](Text& t) {
        t << "client " << f.witness.client << " speaks TLS but the other side doesn't: no TLS answer to its hello"
          << (!f.by_server ? "" : f.reset ? ", the server reset the connection" : ", the server closed the connection")
          << ".";
      });
    }
  }

 private:
  struct Found {
    bool by_server, reset;
    Witness witness;
  };
  KafkaServers servers_{*this};
  Room room_{*this, "connections that may be Kafka's"};
  struct State {
    Stamp begun;
    std::array<bool, 2> data{};
  };
  PerConn<State> state_;
  std::vector<Found> waiting_;
};

}  // namespace

KPARSE_RULE(kp_frame_tls, Tls, .id = "KP-FRAME-TLS", .severity = Severity::error, .scope = RuleScope::connection,
            .condition = "The client begins with a TLS hello on a Kafka port and no TLS answer follows before the connection "
                         "ends; or the server's first bytes, after plain requests, are a TLS record (an alert, mostly).",
            .why = "TLS settings of client and listener differ. Read as a size, a TLS record makes clients allocate "
                   "hundreds of megabytes.",
            .fix = "If the client sent the hello: set its security.protocol to PLAINTEXT or SASL_PLAINTEXT, or use the TLS "
                   "listener. If the server sent an alert: turn TLS on in the client.",
            .example = "client 10.0.0.1:50000 speaks TLS but the other side doesn't: no TLS answer to its hello, "
                       "the server closed the connection.",
            .sources = "kafka#5940; KAFKA-4493; kafkajs#1643; kroxylicious#997");

}  // namespace kparse::lint
