// SPDX-License-Identifier: MIT
#include "details/details_out.h"
#include "details/network_out.h"

#include <algorithm>

namespace kparse::details {
namespace {

using story::number;
using story::number_or_null;
using story::text_or_null;

struct Writer {
  JsonWriter& json;
  const Everything& all;

  void count(std::string_view name, std::uint64_t n) { number(json, name, static_cast<std::int64_t>(n)); }

  template <class Items, class F>
  void list(std::string_view name, const Items& items, F f) {
    json.key(name);
    json.begin_array();
    for (const auto& item : items) {
      json.begin_object();
      f(item);
      json.end_object();
    }
    json.end_array();
  }

  void partition(const story::TopicIndex& topics, const PartitionKey& key) {
    story::topic(json, topics.label(topics.same(key.topic)));
    number(json, "partition", key.partition);
  }

  void groups() {
    list("groups", all.groups.groups, [this](const groups::Group& g) {
      story::text(json, "group", g.name);
      text_or_null(json, "type", g.kind_known ? kparse::name_of(g.kind) : std::string_view{});
      count("members", g.members.size());
      count("generations", g.generations);
      const auto events = [&g](groups::What w) {
        return static_cast<std::uint64_t>(
            std::count_if(g.events.begin(), g.events.end(), [w](const auto& e) { return e.what == w; }));
      };
      count("joins", events(groups::What::joined));
      count("leaves", events(groups::What::leave) + events(groups::What::static_leave) + events(groups::What::removed));
      count("fenced", events(groups::What::fenced));
      story::milliseconds(json, "standstillMs", g.standstill_ns);
      std::int64_t lag = -1;
      for (const groups::Lag& l : groups::lags(g, all.groups))
        if (l.lag() >= 0) lag = std::max<std::int64_t>(lag, 0) + l.lag();
      number_or_null(json, "lag", lag);
    });
  }

  void transactions() {
    std::uint64_t transactional = 0, committed = 0, aborted = 0, others = 0, open = 0, repeated = 0, gaps = 0;
    for (const txns::Producer& p : all.txns.producers) {
      transactional += p.transactional;
      committed += p.committed;
      aborted += p.aborted;
      others += p.others;
      repeated += p.repeated;
      gaps += p.gaps;
      open += static_cast<std::uint64_t>(std::count_if(p.transactions.begin(), p.transactions.end(),
                                                       [](const auto& t) { return t.outcome == txns::Outcome::open; }));
    }
    json.key("transactions");
    json.begin_object();
    count("producers", all.txns.producers.size());
    count("transactional", transactional);
    count("committed", committed);
    count("aborted", aborted);
    count("endedOtherwise", others);
    count("open", open);
    count("repeatedBatches", repeated);
    count("sequenceGaps", gaps);
    count("heldBack", all.txns.held.size());
    json.end_object();
  }

  void own() {
    const DetailsSeen& d = all.details;
    list("delays", d.delays, [&](const auto& row) {
      story::topic(json, d.topics.label(d.topics.same(row.first.first.topic)));
      story::text(json, "client", row.first.second);
      const report::Histogram& h = row.second;
      count("records", h.count());
      json.key("delayMs");
      json.begin_object();
      for (const auto& [name, percent] : {std::pair{"p50", 50u}, std::pair{"p90", 90u}, std::pair{"p99", 99u}}) {
        json.key(name);
        json.float64(static_cast<double>(h.percentile(percent)) / 1e6);
      }
      json.key("max");
      json.float64(static_cast<double>(h.max()) / 1e6);
      json.end_object();
    });
    list("leaders", d.leaders, [&](const auto& row) {
      partition(d.topics, row.first);
      number_or_null(json, "leader", row.second.leader);
      number_or_null(json, "epoch", row.second.epoch);
      count("changes", row.second.changes);
      count("errors", row.second.errors);
    });
    list("throttled", d.throttled, [&](const auto& row) {
      const Api* api = find_api(row.first.first);
      story::text(json, "api", api ? api->name : std::string_view("?"));
      story::text(json, "client", row.first.second);
      count("answers", row.second.answers);
      number(json, "sumMs", row.second.sum_ms);
      number(json, "maxMs", row.second.most_ms);
    });
    list("fetchSessions", d.sessions, [&](const auto& row) {
      const Sessions& s = row.second;
      story::text(json, "client", row.first);
      count("full", s.full);
      count("incremental", s.incremental);
      count("sessionless", s.sessionless);
      count("opened", s.opened);
      count("refused", s.refused);
      count("lost", s.lost);
      count("broken", s.broken);
      count("closed", s.closed);
    });
    list("stuck", d.stuck, [&](const auto& row) {
      story::text(json, "client", row.first.first);
      partition(d.topics, row.first.second);
      number(json, "offset", row.second.offset);
      number(json, "behind", row.second.behind);
      count("answers", row.second.answers);
      story::milliseconds(json, "ms", row.second.until.time_ns - row.second.since.time_ns);
    });
  }
};

}  // namespace

void write_details(JsonWriter& json, const Everything& all) {
  json.key("details");
  json.begin_object();
  Writer w{json, all};
  w.groups();
  w.transactions();
  w.own();
  write_network(json, all);
  std::vector<story::Limit> limits = all.details.limits;
  limits.insert(limits.end(), all.groups.limits.begin(), all.groups.limits.end());
  limits.insert(limits.end(), all.txns.limits.begin(), all.txns.limits.end());
  limits.push_back({"brokers of the network section", NetworkObserver::max_rows, all.network_left_out});
  story::limits(json, limits);
  json.end_object();
}

}  // namespace kparse::details
