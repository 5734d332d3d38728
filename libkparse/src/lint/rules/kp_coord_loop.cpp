// SPDX-License-Identifier: MIT
#include "lint/per_client.h"
#include "lint/rule.h"
#include "lint/subject.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {{"coord-loop-min", 5, "times", "tries in a row without a coordinator"}};
constexpr std::int16_t not_available = 15, not_coordinator = 16;

std::string key_of(CoordinatorTold::Of of, std::string_view key) {
  return std::to_string(static_cast<int>(of)) + std::string(key);
}

class CoordLoop final : public Rule {
 public:
  using Rule::Rule;

  void on_coordinator(const CoordinatorTold& c) override {
    const std::string key = key_of(c.of, c.key);
    if (State* const s = states_[conn()].get(key, room_for_asked_)) {
      s->tries = c.error == not_available ? s->tries + 1 : 0;
      speak(*s, s->tries, c.key, "FindCoordinator answers COORDINATOR_NOT_AVAILABLE (15)");
    }
    Named* const n = c.error == 0 ? named_.get(client_key(conn()) + key, room_for_named_) : nullptr;
    if (!n) return;
    n->tries = n->refused && n->node == c.node ? n->tries + 1 : 0;
    n->refused = false;
    n->node = c.node;
    if (n->tries > 0)
      speak(*n, n->tries, c.key, "broker " + std::to_string(c.node) + " is named and answers NOT_COORDINATOR (16)");
  }

  void on_error(const ErrorSeen& e) override {
    if (e.code == not_coordinator && !e.group.empty()) refused(CoordinatorTold::Of::group, e.group);
  }
  void on_txn_answer(const TxnCall& asked, const TxnAnswer& a) override {
    if (a.error == not_coordinator && !asked.transactional_id.empty())
      refused(CoordinatorTold::Of::transaction, asked.transactional_id);
  }
  void on_group_answer(const GroupCall& asked, const GroupAnswer& a) override {
    if (a.error == not_coordinator) return;
    if (Named* const n = named_.find(client_key(conn()) + key_of(CoordinatorTold::Of::group, asked.group))) *n = {};
  }

  void on_close(const Conn& c, const Stamp&) override { states_.close(c); }

 private:
  struct State {
    std::uint64_t tries = 0, told = 0;
    bool spoke = false;
    bool first = false;  ///< the finding's message is about this
  };
  struct Named : State {
    std::int32_t node = -1;
    bool refused = false;
  };

  // Its FindCoordinator goes over another connection than its requests to the coordinator.
  void refused(CoordinatorTold::Of of, std::string_view key) {
    if (Named* const n = named_.find(client_key(conn()) + key_of(of, key))) n->refused = true;
  }

  void speak(State& s, std::uint64_t tries, std::string_view key, std::string_view detail) {
    if (static_cast<double>(tries) < option(0)) return;
    const bool told = hit(
        {.group = key, .count = s.spoke ? 1 : tries, .renewed = s.first && tries > s.told},
        [&](Text& t) { t << Quoted{key} << ": no coordinator after " << tries << " tries (" << detail << ")."; });
    s.first = s.first || told;
    if (told) s.told = tries;
    s.spoke = true;
  }

  Room room_for_asked_{*this, "a client's groups and transactional ids"};
  Room room_for_named_{*this, "clients with a coordinator"};
  PerClient<Bounded<std::string, State>> states_{*this, "clients between connections"};
  Bounded<std::string, Named> named_;
};

}  // namespace

KPARSE_RULE(
    kp_coord_loop, CoordLoop, .id = "KP-COORD-LOOP", .severity = Severity::error, .scope = RuleScope::group,
    .condition =
        "FindCoordinator answers a client COORDINATOR_NOT_AVAILABLE (15) coord-loop-min or more times in a row for one "
        "group or transactional id, or names a broker that answers NOT_COORDINATOR (16) and names it again, as often.",
    .why = "The offsets (or transaction state) topic isn't available: the consumer never starts.",
    .fix = "Check __consumer_offsets: its replication factor must not exceed the number of brokers.",
    .example = "g: no coordinator after 5 tries (FindCoordinator answers COORDINATOR_NOT_AVAILABLE (15)).",
    .sources = "librdkafka#2086; librdkafka#2275", .options = options);

}  // namespace kparse::lint
