// SPDX-License-Identifier: MIT
#include "lint/per_client.h"
#include "lint/rule.h"
#include "lint/subject.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {
    {"notleader-min", 3, "times", "refusals by a broker after the client was told of another leader"}};

constexpr std::int16_t fenced_leader_epoch = 74;

bool about_leader(std::int16_t code) noexcept { return code == 6 || code == 74 || code == 75; }

class NotLeaderLoop final : public Rule {
 public:
  using Rule::Rule;

  void on_error(const ErrorSeen& e) override {
    const Response* const r = frames().response;
    if (!about_leader(e.code) || e.partition < 0 || !r || !r->matched) return;
    const PartitionKey key = named_key(e.topic, e.partition);
    Partitions* const partitions = told_.get(client_key(conn()), room_for_clients_);
    Told* const told = partitions ? partitions->get(key, room_for_partitions_) : nullptr;
    if (!told) return;
    if (!told->seen) {
      told->seen = true;
      told->server = conn().server();
      if (const Cluster::Leader* const before = desk_.cluster().leader(e.topic, e.partition)) {
        told->leader = told->was = before->node;
        told->epoch = before->epoch;
      }
    }
    // What was sent before the news came is no loop.
    if (!told->other || r->request_first.time_ns <= told->at.time_ns) return;
    // The same leader in a newer epoch: only who still names the old one has to be told.
    const bool same_leader = told->only_epoch || serves(told->leader, conn().server()) == Serves::yes;
    if (same_leader && e.code != fenced_leader_epoch) return;
    Count* const n = counts_[conn()].get(key, room_for_partitions_);
    if (!n) return;
    if (n->since != told->at) *n = {.since = told->at};
    if (n->serial == r->serial && n->times > 0) return;
    n->serial = r->serial;
    ++n->times;
    if (static_cast<double>(n->times) < option(0)) return;
    const std::string name = topic(e.topic);
    hit({.topic = name, .partition = e.partition, .cause = conn().server(), .count = n->spoke ? 1 : n->times},
        [&](Text& t) {
          t << who(conn()) << " keeps asking " << conn().server() << " for " << Partition{name, e.partition};
          if (same_leader) {
            t << " in an old leader epoch though " << told->epoch << " has begun.";
          } else {
            t << " though broker " << told->leader << " leads it.";
          }
        });
    n->spoke = true;
  }

  void on_leader(const LeaderTold& l) override {
    if (l.leader < 0 || told_.empty()) return;
    Partitions* const partitions = told_.find(client_key(conn()));
    Told* const told = partitions ? partitions->find(named_key(l.topic, l.partition)) : nullptr;
    if (!told) return;
    if (l.leader == told->leader && l.leader_epoch <= told->epoch) return;  // no news
    told->only_epoch = l.leader == told->was;
    told->other = told->leader >= 0 || serves(l.leader, told->server) == Serves::no;
    told->leader = l.leader;
    told->epoch = l.leader_epoch;
    told->at = frames().response->frame.first;
  }

  void on_close(const Conn& c, const Stamp&) override { counts_.close(c); }

 private:
  struct Told {
    bool seen = false, other = false, only_epoch = false;
    std::int32_t leader = -1, epoch = -1;
    std::int32_t was = -1;  ///< the leader before the first refusal
    std::string server;     ///< that refused first
    Stamp at;
  };
  struct Count {
    Stamp since;
    std::uint64_t times = 0, serial = 0;
    bool spoke = false;
  };
  using Partitions = Bounded<PartitionKey, Told, KeyHash>;
  enum class Serves { yes, no, unknown };

  /// Is broker `node` at `server` ("ip:port")? Names of hosts can't be compared with addresses.
  Serves serves(std::int32_t node, std::string_view server) const {
    const Cluster::Endpoint* const e = desk_.cluster().broker(node);
    if (!e) return Serves::unknown;
    const std::string port = ':' + std::to_string(e->port);
    if (!server.ends_with(port)) return Serves::no;
    std::string_view host = server.substr(0, server.size() - port.size());
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    if (host == e->host) return Serves::yes;
    const bool address =
        e->host.find_first_not_of("0123456789.") == std::string::npos || e->host.find(':') != std::string::npos;
    return address ? Serves::no : Serves::unknown;
  }

  Room room_for_clients_{*this, "clients"};
  Room room_for_partitions_{*this, "a client's partitions"};
  Bounded<std::string, Partitions> told_;
  PerClient<Bounded<PartitionKey, Count, KeyHash>> counts_{*this, "clients between connections"};
};

}  // namespace

KPARSE_RULE(kp_notleader_loop, NotLeaderLoop, .id = "KP-NOTLEADER-LOOP", .severity = Severity::warning,
            .scope = RuleScope::client,
            .condition =
                "A broker answers NOT_LEADER_OR_FOLLOWER (6), FENCED_LEADER_EPOCH (74) or UNKNOWN_LEADER_EPOCH (75) "
                "for a partition notleader-min or more times to requests that the client sent after it was told of "
                "another leader or a newer epoch.",
            .why = "The client doesn't use its new metadata.", .fix = "Update the client; restart it to recover.",
            .example = "10.0.0.1:50000 (\"t1\") keeps asking 10.0.0.2:9092 for orders-0 though broker 2 leads it.",
            .sources = "KIP-320; KIP-951", .options = options);

}  // namespace kparse::lint
