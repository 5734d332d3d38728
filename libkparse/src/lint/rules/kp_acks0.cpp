// SPDX-License-Identifier: MIT
#include "lint/rule.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

class Acks0 final : public Rule {
 public:
  using Rule::Rule;

  void on_acks(std::int16_t acks) override {
    silent_ = acks == 0 && frames().request;
    ++request_;
  }
  void on_partition(const PartitionSeen& p) override {
    if (!silent_ || !frames().request) return;
    const Spot spot = desk_.client_topics().at(conn(), p.topic, frames().request->frame.first);
    Pair* const n = pairs_.get(spot.pair);
    if (!n || n->request == request_) return;   // several partitions of one topic
    n->request = request_;
    ++n->requests;
  }
  void end_request(const Conn&, const Request&, const Error&) override { silent_ = false; }

  void on_finish(const Stamp&) override {
    pairs_.each([this](std::uint32_t number, const Pair& p) {
      if (p.requests == 0) return;
      const ClientTopics& known = desk_.client_topics();
      const Witness& first = known.pair(number).first;
      const std::string name = topic(known.topic(known.pair(number).topic).ref());
      hit({.topic = name, .api = "Produce", .witness = &first, .count = p.requests}, [&](Text& t) {
        t << who(first) << " produces to " << Quoted{name, 249} << " with acks=0 (" << p.requests
          << (p.requests == 1 ? " request" : " requests") << "): no answers will come.";
      });
    });
  }

 private:
  struct Pair {
    std::uint64_t requests = 0, request = 0;
  };
  bool silent_ = false;
  std::uint64_t request_ = 0;
  BySpot<Pair> pairs_;
};

}  // namespace

KPARSE_RULE(kp_acks0, Acks0, .id = "KP-ACKS0", .severity = Severity::info, .scope = RuleScope::client,
            .condition = "A Produce request has acks 0. Counted by client and topic.",
            .why = "There is no response on the wire at all: missing answers are right, and losses can't be seen.",
            .fix = "Use acks=1 or all if losses matter.",
            .example = "10.0.0.1:50000 (\"craft\") produces to orders with acks=0 (1 request): no answers will "
                       "come.",
            .sources = "kafka-go#176; shotover#1188", .healthy = true);

}  // namespace kparse::lint
