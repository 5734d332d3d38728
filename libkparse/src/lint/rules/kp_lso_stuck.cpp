// SPDX-License-Identifier: MIT
#include "lint/keys.h"
#include "lint/rule.h"
#include "lint/subject.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {
    {"lso-seconds", 60, "s", "a last stable offset that doesn't move for so long is stuck"}};
constexpr std::uint64_t least_answers = 3;

class LsoStuck final : public Rule {
 public:
  using Rule::Rule;

  void on_partition_fetched(const PartitionFetched& p) override {
    if (p.error != 0) return;
    const std::uint64_t server = std::hash<std::string_view>{}(conn().server());
    PartitionKey key = partition_key(p.topic, p.partition);
    key.topic = mixed(key.topic, server);
    if (p.last_stable_offset < 0 || p.last_stable_offset >= p.high_watermark) {
      stuck_.erase(key);
      return;
    }
    State* const s = stuck_.get(key, room_);
    if (!s) return;
    const Stamp& now = frames().response->frame.first;
    if (s->answers == 0 || s->offset != p.last_stable_offset) *s = {.offset = p.last_stable_offset, .since = now};
    ++s->answers;
    const double seconds = seconds_between(s->since, now);
    if (s->answers < least_answers || seconds < option(0)) return;
    const std::string name = topic(p.topic);
    const std::string cause = std::to_string(p.partition);
    hit({.topic = name, .partition = p.partition, .cause = cause, .any_client = true}, [&](Text& t) {
      t << Partition{name, p.partition} << ": last stable offset stays at " << p.last_stable_offset
        << " while the high watermark is " << p.high_watermark << " (" << Decimal{seconds, 0} << " s).";
    });
  }

 private:
  struct State {
    std::int64_t offset = -1;
    std::uint64_t answers = 0;
    Stamp since;
  };
  Room room_{*this, "partitions with open transactions", 100'000};
  Bounded<PartitionKey, State, KeyHash> stuck_;
};

}  // namespace

KPARSE_RULE(
    kp_lso_stuck, LsoStuck, .id = "KP-LSO-STUCK", .severity = Severity::warning, .scope = RuleScope::topic,
    .condition =
        "The last stable offset of a partition is below its high watermark and the same for lso-seconds, over at least "
        "3 Fetch answers of one broker.",
    .why = "An open transaction holds back every read_committed consumer.",
    .fix = "Find the transaction (kafka-transactions.sh find-hanging) and end it; shorten transaction.timeout.ms.",
    .example = "orders-0: last stable offset stays at 5 while the high watermark is 9 (60 s).",
    .sources = "brod#659; redpanda#6423; KIP-664", .options = options);

}  // namespace kparse::lint
