// SPDX-License-Identifier: MIT
#include <vector>

#include "lint/kafka_servers.h"
#include "lint/rule.h"

namespace kparse::lint {
namespace {

constexpr std::string_view words[] = {"GET ", "POST", "HEAD", "PUT ", "HTTP", "OPTI",
                                      "DELE", "CONN", "PRI ", "PATC", "TRAC", "SSH-"};

class Http final : public Rule {
 public:
  using Rule::Rule;

  void on_conversation(const Conn& c) override { servers_.learn(c); }

  void on_not_a_frame(const Conn& c, const NotAFrame& n) override {
    const std::string_view first = text(n.bytes).substr(0, 4);
    if (!n.first && (!n.kafka || c.lost[static_cast<std::size_t>(n.from)])) return;
    for (const std::string_view word : words) {
      if (first != word) continue;
      Found f{.side = n.from,
              .address = std::string(address_of(c, n.from)),
              .text = std::string(text(n.bytes).substr(0, std::min(text(n.bytes).find_first_of("\r\n"), std::size_t{32}))),
              .size = load_be<std::uint32_t>(n.bytes.data()),
              .witness = witness_of(c, n.at)};
      if (n.kafka) return say(f);
      if (room_.beside(waiting_.size())) waiting_.push_back(std::move(f));
      return;
    }
  }

  // On any other port HTTP is at home: that a port is Kafka's may show later.
  void on_finish(const Stamp&) override {
    for (const Found& f : waiting_)
      if (servers_.likely(f.witness.server)) say(f);
  }

 private:
  struct Found {
    Side side;
    std::string address, text;
    std::uint32_t size;
    Witness witness;
  };

  void say(const Found& f) {
    const bool ssh = f.text.starts_with("SSH-");
    const std::string what = ssh ? "SSH" : "HTTP", cause = what + std::string(name_of_side(f.side));
    hit({.cause = cause, .witness = &f.witness}, [&](Text& t) {
      t << name_of_side(f.side) << " " << f.address << " speaks " << what
        << " on a Kafka port: the first bytes are \"" << Quoted{f.text} << "\" (read as a frame size: " << f.size << ").";
    });
  }

  KafkaServers servers_{*this};
  Room room_{*this, "connections that may be Kafka's"};
  std::vector<Found> waiting_;
};

}  // namespace

KPARSE_RULE(kp_frame_http, Http, .id = "KP-FRAME-HTTP", .severity = Severity::error, .scope = RuleScope::connection,
            .condition = "Where a frame should begin, never inside one, stands the first word of another protocol: GET, "
                         "POST, HEAD, PUT, HTTP, OPTIONS, DELETE, CONNECT, PRI, PATCH, TRACE or SSH-. Only on ports that "
                         "are Kafka's: somebody speaks it there, or 9092 to 9096 and 9098 (also 19092 and so on).",
            .why = "Another protocol reached a Kafka port, or a Kafka client reached an HTTP or SSH endpoint. Read as a "
                   "size these letters are 1.1 to 1.4 GB.",
            .fix = "Check port, route and proxy. Point the client at the broker's listener, the probe at the metrics port.",
            .example = "client 10.0.0.1:50000 speaks HTTP on a Kafka port: the first bytes are \"GET /metrics "
                       "HTTP/1.1\" (read as a frame size: 1195725856).",
            .sources = "redpanda#2727; kroxylicious#3012; librdkafka#1616");

}  // namespace kparse::lint
