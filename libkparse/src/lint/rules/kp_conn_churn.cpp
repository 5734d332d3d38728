// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "lint/keys.h"
#include "lint/rule.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {{"churn-per-minute", 20, "", "connections"},
                                  {"churn-requests", 5, "", "answered requests of each, fewer than"}};
constexpr std::int64_t minute = 60'000'000'000;

class Churn final : public Rule {
 public:
  using Rule::Rule;

  void on_close(const Conn& c, const Stamp&) override {
    // Without the client's bytes nobody knows who it is, nor how much it asked.
    if (!c.kafka || !c.segments || c.requests == 0 || static_cast<double>(c.responses) >= option(1)) return;
    Opened* const o = opened_.get(client_key(c) + '\0' + std::string(c.server()), room_for_clients_);
    if (!o || !room_for_connections_.beside(o->at.size())) return;
    o->at.push_back({c.opened.time_ns, c.requests});
    if (o->at.size() == 1 || c.opened.time_ns < o->first.at.time_ns) o->first = witness_of(c, c.opened);
  }

  void on_finish(const Stamp&) override {
    for (auto& [key, o] : opened_) {
      std::ranges::sort(o.at, {}, &Once::time_ns);
      std::size_t from = 0, best = 0, best_from = 0;
      for (std::size_t to = 0; to < o.at.size(); ++to) {
        while (o.at[to].time_ns - o.at[from].time_ns >= minute) ++from;
        if (to - from + 1 > best) {
          best = to - from + 1;
          best_from = from;
        }
      }
      if (static_cast<double>(best) <= option(0)) continue;
      double requests = 0;
      for (std::size_t i = best_from; i < best_from + best; ++i) requests += static_cast<double>(o.at[i].requests);
      hit({.cause = o.first.server, .witness = &o.first, .count = o.at.size()}, [&, &o = o](Text& t) {
        t << o.first.client << " (\"" << Quoted{o.first.client_id} << "\") opened " << best
          << " connections in a minute, with " << Decimal{requests / static_cast<double>(best)}
          << " requests each on average.";
      });
    }
  }

 private:
  struct Once {
    std::int64_t time_ns;
    std::uint64_t requests;
  };
  struct Opened {
    std::vector<Once> at;
    Witness first;
  };
  Room room_for_clients_{*this, "clients of a server"};
  Room room_for_connections_{*this, "a client's connections", 4096};
  Bounded<std::string, Opened> opened_;
};

}  // namespace

KPARSE_RULE(kp_conn_churn, Churn, .id = "KP-CONN-CHURN", .severity = Severity::warning, .scope = RuleScope::client,
            .condition = "One client address with one client id (or none) opens more than churn-per-minute connections to one "
                         "server within a minute, each with fewer than churn-requests answered requests. Connections "
                         "refused before any byte don't count, nor those of which the capture has no request.",
            .why = "Each connection costs handshakes, threads and TIME_WAIT entries. Often it is a producer made for each "
                   "message, or a client that is refused for ever.",
            .fix = "Share one client in a process. If they are refused, see the other findings of these connections.",
            .example = "10.0.0.1:40000 (\"t1\") opened 21 connections in a minute, with 1 requests each on "
                       "average.",
            .sources = "segmentio/kafka-go#1286; kafka#18291", .options = options);

}  // namespace kparse::lint
