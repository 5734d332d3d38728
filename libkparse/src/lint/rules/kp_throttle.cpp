// SPDX-License-Identifier: MIT
#include "lint/keys.h"
#include "lint/rule.h"
#include "lint/subject.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {{"throttle-ms", 1, "ms", "answers with at least this throttle time count"}};

class Throttle final : public Rule {
 public:
  using Rule::Rule;

  void on_throttle(std::int32_t ms) override {
    const Response* const r = frames().response;
    if (!r || !r->matched || !r->api || ms < option(0)) return;
    Sum* const s = sums_.get(client_key(conn()) + '\0' + std::string(r->api->name), room_);
    if (!s) return;
    if (s->answers++ == 0) {
      s->who = witness_of(conn(), r->frame.first);
      s->api = r->api->name;
    }
    s->ms += ms;
  }

  void on_finish(const Stamp&) override {
    for (const auto& [key, s] : sums_) {
      hit({.api = s.api, .cause = s.api, .witness = &s.who, .count = s.answers}, [&, &s = s](Text& t) {
        t << who(s.who) << " is throttled by " << s.who.server << ": " << s.ms << " ms in "
          << s.answers << (s.answers == 1 ? " answer (" : " answers (") << s.api << ").";
      });
    }
  }

 private:
  struct Sum {
    std::uint64_t answers = 0;
    std::int64_t ms = 0;
    std::string_view api;
    Witness who;
  };
  Room room_{*this, "clients of an API"};
  Bounded<std::string, Sum> sums_;
};

}  // namespace

KPARSE_RULE(kp_throttle, Throttle, .id = "KP-THROTTLE", .severity = Severity::warning, .scope = RuleScope::client,
            .condition = "Answers to a client have a throttle time of throttle-ms or more; summed by client and API.",
            .why = "A quota is hit: the client slows down by design.",
            .fix = "Raise the quota, or send and fetch less.",
            .example = "10.0.0.1:50000 (\"t1\") is throttled by 10.0.0.2:9092: 3850 ms in 1 answer (Fetch).",
            .sources = "librdkafka#5592; KIP-219", .options = options);

}  // namespace kparse::lint
