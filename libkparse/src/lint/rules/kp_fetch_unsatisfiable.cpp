// SPDX-License-Identifier: MIT
#include <algorithm>

#include "lint/fetch_limits.h"
#include "lint/rule.h"
#include "lint/subject.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr std::int16_t key_fetch = 1;

class FetchUnsatisfiable final : public Rule {
 public:
  using Rule::Rule;

  void begin_request(const Conn& c, const Request& r) override {
    if (r.api_key != key_fetch) return;
    if (!reader_.read(r, limits_)) return sessions_.drop(c);
    std::int64_t allowed = -1;  // -1: not known
    std::size_t fetched = limits_.partitions.size();
    if (limits_.session_epoch <= 0) {
      if (limits_.session_epoch == 0) sessions_.drop(c);
      Session full;
      for (const FetchLimit& l : limits_.partitions) put(full, l);
      if (full.whole) allowed = full.sum;
      if (limits_.session_epoch == 0) sessions_[c] = std::move(full);
    } else if (Session* const s = sessions_.find(c); s && s->whole) {
      for (const FetchLimit& l : limits_.partitions) put(*s, l);
      for (const PartitionKey& k : limits_.forgotten) take(*s, k);
      fetched = s->limits.size();
      if (s->whole) allowed = s->sum;
    }
    if (fetched == 0 || limits_.min_bytes <= 0) return;
    if (limits_.max_bytes >= 0)
      allowed = allowed < 0 ? limits_.max_bytes : std::min<std::int64_t>(allowed, limits_.max_bytes);
    if (allowed < 0 || limits_.min_bytes <= allowed) return;
    hit({}, [&](Text& t) {
      t << "Fetch of " << who(c) << " wants at least " << limits_.min_bytes << " bytes but allows only " << allowed
        << ".";
    });
  }

  void on_close(const Conn& c, const Stamp&) override { sessions_.drop(c); }

 private:
  struct Session {
    Bounded<PartitionKey, std::int32_t, KeyHash> limits;
    std::int64_t sum = 0;
    bool whole = true;
  };

  void put(Session& s, const FetchLimit& l) {
    std::int32_t* const there = s.limits.get(l.key, room_);
    s.whole = s.whole && there;
    if (!there) return;
    s.sum += std::int64_t{l.max_bytes} - *there;
    *there = l.max_bytes;
  }
  static void take(Session& s, const PartitionKey& k) {
    const std::int32_t* const there = s.limits.find(k);
    if (!there) return;
    s.sum -= *there;
    s.limits.erase(k);
  }

  FetchLimitsReader reader_;
  FetchLimits limits_;
  Room room_{*this, "a fetch session's partitions", 100'000};
  PerConn<Session> sessions_;
};

}  // namespace

KPARSE_RULE(kp_fetch_unsatisfiable, FetchUnsatisfiable, .id = "KP-FETCH-UNSATISFIABLE", .severity = Severity::error,
            .scope = RuleScope::frame,
            .condition =
                "min_bytes of a Fetch is above the sum of what it (or its session) allows for all its partitions, or "
                "above its max_bytes, and at least one partition is fetched.",
            .why = "It can only end by max_wait: every fetch takes that long.",
            .fix = "Set fetch.min.bytes below max.partition.fetch.bytes.",
            .example = "Fetch of 10.0.0.1:50000 (\"t1\") wants at least 4987 bytes but allows only 4096.",
            .sources = "kafka-python#73");

}  // namespace kparse::lint
