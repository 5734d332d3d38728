// SPDX-License-Identifier: MIT
#include "lint/fetched_batches.h"
#include "lint/per_client.h"
#include "lint/subject.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr std::int16_t key_list_offsets = 2;
constexpr RuleOption options[] = {
    {"fetch-stuck-min", 3, "times", "the same offset in a row, with records in each answer"}};

class FetchStuck final : public Rule {
 public:
  using Rule::Rule;

  // Who looks for an offset anew on a new connection begins anew.
  void end_request(const Conn& c, const Request& r, const Error&) override {
    if (r.api_key == key_list_offsets && !partitions_.find(c)) partitions_[c] = {};
  }

  // A client that seeks back has asked for what comes next in between.
  void on_fetch_asked(const FetchAsked& f) override {
    Partitions* const partitions = partitions_.find(conn());
    if (!partitions) return;
    for (const FetchTarget& t : f.named) {
      const PartitionKey key = partition_key(t.topic, t.partition);
      if (const State* const s = partitions->find(key); s && s->offset != t.offset) partitions->erase(key);
    }
    for (const PartitionRef& p : f.forgotten) partitions->erase(partition_key(p.topic, p.partition));
  }

  void begin_response(const Conn&, const Response&) override { batches_.clear(); }
  void on_batch(const BatchSeen& b) override { batches_.add(b); }

  void on_partition_fetched(const PartitionFetched& p) override {
    const FetchedBatches::Range* const range = batches_.of(p);
    const Response& r = *frames().response;
    Partitions& partitions = partitions_[conn()];
    const PartitionKey key = partition_key(p.topic, p.partition);
    if (p.error != 0 || p.asked_offset < 0 || !range || range->last_ends < p.asked_offset) {
      partitions.erase(key);
      return;
    }
    State* const s = partitions.get(key, room_);
    if (!s) return;
    // Requests that were sent before the answer ask for the same and mean nothing.
    const bool same = s->conn == conn().number || p.asked_offset > 0;  // many a program begins at 0
    const bool again =
        s->times > 0 && s->offset == p.asked_offset && same && r.request_first.time_ns >= s->answered.time_ns;
    s->offset = p.asked_offset;
    s->times = again ? s->times + 1 : 1;
    s->answered = r.frame.last;
    s->conn = conn().number;
    if (!again) s->spoke = s->first = false;
    if (static_cast<double>(s->times) < option(0)) return;
    if (!s->spoke) {
      Text t;
      t << who(conn());
      s->who = std::move(t).take();
    }
    const std::string name = topic(p.topic);
    const Place place{.topic = name,
                      .partition = p.partition,
                      .count = s->spoke ? 1 : s->times,
                      .renewed = s->first};
    const bool told = hit(place, [&](Text& t) {
      t << s->who << " fetched " << Partition{name, p.partition} << " at offset " << p.asked_offset << " "
        << s->times << " times and got records each time.";
    });
    s->first = told;
    s->spoke = true;
  }

  void on_close(const Conn& c, const Stamp&) override { partitions_.close(c); }

 private:
  struct State {
    std::int64_t offset = -1;
    std::uint64_t times = 0;
    Stamp answered;
    std::uint64_t conn = 0;
    bool spoke = false;
    bool first = false;  ///< the finding's message is about this
    std::string who;     ///< who fetched it when it was told first
  };
  using Partitions = Bounded<PartitionKey, State, KeyHash>;
  Room room_{*this, "a connection's partitions"};
  PerClient<Partitions> partitions_{*this, "clients between connections"};
  FetchedBatches batches_;
};

}  // namespace

KPARSE_RULE(kp_fetch_stuck, FetchStuck, .id = "KP-FETCH-STUCK", .severity = Severity::error, .scope = RuleScope::client,
            .condition =
                "A client fetches the same partition at the same offset fetch-stuck-min or more times in a row, on one "
                "connection or one after the other (then not at offset 0, nor after a ListOffsets), each after the "
                "answer to the one before, and each answer has a whole batch at or after that offset. Asking for another "
                "offset in between (a seek back) ends the row.",
            .why = "It can't read what it gets and asks for ever.",
            .fix = "See KP-CRC, KP-COMPACTED and codec findings for that batch; update the client.",
            .example = "10.0.0.1:50000 (\"t1\") fetched orders-0 at offset 5 3 times and got records each time.",
            .sources = "Dekaf#1717; Dekaf#1727", .options = options);

}  // namespace kparse::lint
