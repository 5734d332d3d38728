// SPDX-License-Identifier: MIT
#include <vector>

#include "lint/kafka_servers.h"
#include "lint/rule.h"

namespace kparse::lint {
namespace {

constexpr std::string_view instead[] = {"KP-FRAME-HTTP", "KP-FRAME-TLS"};

class Short final : public Rule {
 public:
  using Rule::Rule;

  void on_conversation(const Conn& c) override { servers_.learn(c); }
  void on_resync(const Conn& c, Side s, std::uint64_t) override { lost_[c][static_cast<std::size_t>(s)] = true; }

  // Where a raw SASL token may stand, these bytes are one.
  void on_not_a_frame(const Conn& c, const NotAFrame& n) override {
    const auto side = static_cast<std::size_t>(n.from);
    if (n.bytes.size() < 4 || c.lost[side] || lost_[c][side]) return;
    const auto size = load_be<std::uint32_t>(n.bytes.data());
    if (size >= (n.from == Side::client ? 8u : 4u)) return;
    Found f{n.from, std::string(address_of(c, n.from)), size, witness_of(c, n.at)};
    if (n.kafka) return say(f);
    if (n.first && room_.beside(waiting_.size())) waiting_.push_back(std::move(f));
  }
  void on_close(const Conn& c, const Stamp&) override { lost_.drop(c); }

  // Where nobody speaks Kafka, such bytes are anybody's.
  void on_finish(const Stamp&) override {
    for (const Found& f : waiting_)
      if (servers_.likely(f.witness.server)) say(f);
  }

 private:
  struct Found {
    Side side;
    std::string address;
    std::uint32_t size;
    Witness witness;
  };

  void say(const Found& f) {
    hit({.cause = name_of_side(f.side), .witness = &f.witness}, [&](Text& t) {
      t << name_of_side(f.side) << " " << f.address << " sent a frame of " << f.size
        << " bytes: too short for a Kafka header.";
    });
  }

  KafkaServers servers_{*this};
  Room room_{*this, "connections that may be Kafka's"};
  PerConn<std::array<bool, 2>> lost_;
  std::vector<Found> waiting_;
};

}  // namespace

KPARSE_RULE(kp_frame_short, Short, .id = "KP-FRAME-SHORT", .severity = Severity::error, .scope = RuleScope::frame,
            .condition = "A request's size is 0 to 7 or a response's 0 to 3, on a connection that is Kafka's or a port that "
                         "is; not where raw SASL tokens may stand, after SaslHandshake v0.",
            .why = "A request's header has at least 8 bytes, a response's 4. The broker closes on such a frame.",
            .fix = "Look for a health check or a scanner on the port; in a client it is a length computed wrongly.",
            .example = "client 10.0.0.1:50000 sent a frame of 0 bytes: too short for a Kafka header.",
            .sources = "Kafka's RequestHeader, NetworkReceive", .instead = instead);

}  // namespace kparse::lint
