// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <utility>

#include "lint/fetch_limits.h"
#include "lint/rule.h"
#include "lint/subject.h"

namespace kparse::lint {
namespace {

constexpr std::int16_t key_fetch = 1;

class FetchTooSmall final : public Rule {
 public:
  using Rule::Rule;

  void begin_request(const Conn& c, const Request& r) override {
    if (r.api_key != key_fetch || !reader_.read(r, limits_)) return;
    State& s = states_[c];
    for (const FetchLimit& l : limits_.partitions) {
      const Small* const small = s.small.find(l.key);
      if (!small || r.frame.first.time_ns < small->at.time_ns) continue;
      if (l.offset == small->limit.offset && l.max_bytes <= small->limit.max_bytes) say(c, *small);
      s.small.erase(l.key);
    }
    if (limits_.partitions.empty()) return;
    if (s.asked.size() >= Conn::max_outstanding) s.asked.erase(s.asked.begin());
    std::ranges::sort(limits_.partitions, before);
    s.asked[r.serial] = limits_.partitions;
  }

  void on_partial(const RecordsSeen& seen, std::uint64_t, std::uint64_t need) override {
    need_ = need;
    // The filler of a down-converted answer has the offset -1.
    filler_ = seen.records.size() >= 8 && load_be<std::int64_t>(seen.records.data()) == -1;
  }

  void end_records(const RecordsSeen& seen, std::int32_t batches) override {
    const std::uint64_t need = std::exchange(need_, 0);
    const Response* const r = frames().response;
    if (seen.via != Via::fetch || batches != 0 || need == 0 || filler_ || !r || !r->matched) return;
    State* const s = states_.find(conn());
    const auto asked = s ? s->asked.find(r->serial) : decltype(s->asked.end()){};
    if (!s || asked == s->asked.end()) return;
    const FetchLimit wanted{.key = partition_key(seen.topic, seen.partition)};
    const auto limit = std::ranges::lower_bound(asked->second, wanted, before);
    if (limit == asked->second.end() || limit->key != wanted.key) return;
    if (limit->max_bytes < 0 || need <= static_cast<std::uint64_t>(limit->max_bytes)) return;
    if (Small* const small = s->small.get(wanted.key, room_))
      *small = {
          .limit = *limit, .partition = seen.partition, .need = need, .topic = topic(seen.topic), .at = r->frame.first};
  }

  void end_response(const Conn& c, const Response& r, const Error&) override {
    if (State* const s = states_.find(c)) s->asked.erase(r.serial);
  }

  void on_close(const Conn& c, const Stamp&) override {
    if (State* const s = states_.find(c))
      for (const auto& [key, small] : s->small) say(c, small);
    states_.drop(c);
  }

 private:
  struct Small {
    FetchLimit limit;
    std::int32_t partition = -1;
    std::uint64_t need = 0;
    std::string topic;
    Stamp at;
  };
  struct State {
    std::map<std::uint64_t, std::vector<FetchLimit>> asked;  ///< by serial; partitions in order
    Bounded<PartitionKey, Small, KeyHash> small;
  };

  static bool before(const FetchLimit& a, const FetchLimit& b) noexcept {
    return std::tie(a.key.topic, a.key.partition) < std::tie(b.key.topic, b.key.partition);
  }

  void say(const Conn& c, const Small& s) {
    hit({.topic = s.topic, .partition = s.partition, .api = "Fetch", .conn = &c, .at = &s.at}, [&](Text& t) {
      t << Partition{s.topic, s.partition} << ": the record at offset " << s.limit.offset << " needs " << s.need
        << " bytes, the fetch allows " << s.limit.max_bytes << ".";
    });
  }

  FetchLimitsReader reader_;
  FetchLimits limits_;
  Room room_{*this, "a connection's partitions"};
  PerConn<State> states_;
  std::uint64_t need_ = 0;
  bool filler_ = false;
};

}  // namespace

KPARSE_RULE(kp_fetch_too_small, FetchTooSmall, .id = "KP-FETCH-TOO-SMALL", .severity = Severity::error,
            .scope = RuleScope::frame,
            .condition =
                "All that a Fetch answer has for a partition is the beginning of a batch or message that is larger "
                "than the request allows for the partition, and the consumer asks for the same offset with the same "
                "limit again, or not again. The filler of down-converted answers doesn't count.",
            .why = "The consumer can never get past it (old Fetch versions).",
            .fix = "Raise max.partition.fetch.bytes (fetch.message.max.bytes) to at least the bytes that are needed.",
            .example = "orders-0: the record at offset 5 needs 83 bytes, the fetch allows 60.",
            .sources = "ruby-kafka#429; pykafka#102; KAFKA-2515; KIP-74");

}  // namespace kparse::lint
