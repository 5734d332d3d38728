// SPDX-License-Identifier: MIT
#include <algorithm>
#include <deque>
#include <iterator>

#include "lint/error_severity.h"
#include "lint/per_client.h"
#include "lint/rule.h"
#include "lint/subject.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {{"err-loop-min", 10, "times", "the same error so often is a loop"},
                                  {"err-loop-seconds", 30, "s", "within this time"}};
constexpr std::string_view instead[] = {"KP-COORD-LOOP", "KP-NOTLEADER-LOOP", "KP-JOIN-LOOP", "KP-META-STORM"};
constexpr std::int16_t key_heartbeat = 12, rebalance_in_progress = 27, not_attempted = 55, member_id_required = 79,
                       election_not_needed = 84;
constexpr std::size_t most_kept = 1000;

/// What clients ask again by themselves; what admin tools ask may be in vain as often as they like.
bool by_client(std::int16_t api) noexcept {
  constexpr std::int16_t keys[] = {0,  1,  2,  3,                // Produce, Fetch, ListOffsets, Metadata
                                   8,  9,  10, 11, 12, 13, 14,   // offsets and groups
                                   17, 18, 36,                   // SASL, ApiVersions
                                   22, 23, 24, 25, 26, 28,       // transactions, OffsetForLeaderEpoch
                                   68, 71, 72, 76, 78, 79, 88};  // heartbeats, telemetry, share groups
  return std::ranges::find(keys, api) != std::end(keys);
}

/// Answers to admin tools that ask whether something is so, and one that each new member gets, repeat with nothing
/// wrong.
bool heals(const ErrorAdvice& a, std::string_view api) noexcept {
  if (a.in(api) > Severity::notice || (a.kind != "self-healing" && a.kind != "normal")) return false;
  return a.code != not_attempted && a.code != member_id_required && a.code != election_not_needed;
}

class ErrLoop final : public Rule {
 public:
  using Rule::Rule;

  void on_error(const ErrorSeen& e) override {
    const Response* const r = frames().response;
    if (!r || !r->matched || !r->api || !by_client(r->api_key) || conn().inter_broker) return;
    if (e.code == rebalance_in_progress && r->api_key == key_heartbeat) return;  // on_group_answer
    const bool has_topic = !e.topic.name.empty() || e.topic.id;
    count(e.code, has_topic ? topic(e.topic) : std::string(), e.group, *r);
  }

  // A member hears of a rebalance with each Heartbeat until it joins: one for each generation counts.
  void on_group_answer(const GroupCall& asked, const GroupAnswer& a) override {
    const Response* const r = frames().response;
    if (!r || a.error != rebalance_in_progress || r->api_key != key_heartbeat || !r->api) return;
    std::int32_t* const told = generations_[conn()].get(joined({asked.group, asked.member}), room_for_members_);
    if (!told || *told == asked.generation) return;
    *told = asked.generation;
    count(a.error, {}, asked.group, *r);
  }

  void on_close(const Conn& c, const Stamp&) override {
    seen_.close(c);
    generations_.close(c);
  }

 private:
  struct Seen {
    std::deque<Stamp> at;
    std::uint64_t conn = 0, serial = 0;
    std::size_t told = 0;
    std::string who;   ///< who got it when it was told first
    bool spoke = false;
    bool first = false;  ///< the finding's message is about this
  };

  void count(std::int16_t code, const std::string& topic_name, std::string_view group, const Response& r) {
    const ErrorAdvice* const a = error_advice(code);
    if (!a || !heals(*a, r.api->name)) return;
    const std::string cause = std::string(r.api->name) + ' ' + std::to_string(code);
    Seen* const s = seen_[conn()].get(joined({cause, topic_name, group}), room_for_errors_);
    if (!s) return;
    const bool this_answer = !s->at.empty() && s->conn == conn().number && s->serial == r.serial;
    if (this_answer) return;  // other partitions of it
    s->conn = conn().number;
    s->serial = r.serial;
    const Stamp& now = r.frame.first;
    s->at.push_back(now);
    while (s->at.size() > most_kept || seconds_between(s->at.front(), now) > option(1)) s->at.pop_front();
    if (static_cast<double>(s->at.size()) < option(0)) return;
    const std::uint64_t times = s->spoke ? 1 : s->at.size();
    s->spoke = true;
    if (s->told == 0) {
      Text t;
      t << who(conn());
      s->who = std::move(t).take();
    }
    const bool more = s->at.size() > s->told;
    const Place place{.topic = topic_name,
                      .group = group,
                      .api = r.api->name,
                      .cause = cause,
                      .count = times,
                      .renewed = s->first && more};
    const bool told = hit(place, [&](Text& t) {
      t << s->who << " got " << a->name << " (" << code << ") from " << r.api->name << " for "
        << About{topic_name, -1, group} << " " << s->at.size() << " times in "
        << Decimal{seconds_between(s->at.front(), now)} << " s.";
    });
    s->first = s->first || told;
    if (told) s->told = s->at.size();
  }

  Room room_for_errors_{*this, "a client's errors"};
  Room room_for_members_{*this, "a client's group members"};
  PerClient<Bounded<std::string, Seen>> seen_{*this, "clients between connections"};
  PerClient<Bounded<std::string, std::int32_t>> generations_{*this, "clients with group members between connections"};
};

}  // namespace

KPARSE_RULE(
    kp_err_loop, ErrLoop, .id = "KP-ERR-LOOP", .severity = Severity::warning, .scope = RuleScope::client,
    .condition =
        "A client gets the same error code of severity notice or info from the same API for the same topic or group "
        "err-loop-min or more times within err-loop-seconds. Clients that share an address and an id aren't added up; "
        "Heartbeats of one rebalance, admin tools, brokers' own elections and new members' MEMBER_ID_REQUIRED don't "
        "count.",
    .why = "It doesn't heal by itself.",
    .fix = "See the advice of the code (KP-ERR-RETRY); look at what the cluster says about the topic or group.",
    .example = "10.0.0.1:50000 (\"t1\") got UNSTABLE_OFFSET_COMMIT (88) from OffsetFetch for group g 4 times in 1.5 s.",
    .sources = "redpanda#6423", .options = options, .instead = instead);

}  // namespace kparse::lint
