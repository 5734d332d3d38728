// SPDX-License-Identifier: MIT
#include <algorithm>

#include "groups/group_out.h"
#include "kparse/events.h"
#include "output/human.h"

namespace kparse::groups {

std::vector<Lag> lags(const Group& g, const GroupsSeen& seen) {
  std::map<PartitionKey, Lag> rows;
  for (const auto& [key, p] : g.progress) {
    Lag& l = rows[seen.topics.same(key)];
    l.commits += p.commits;
    l.failed += p.failed;
    if (p.committed >= 0 && (!l.committed_here || story::earlier(l.at, p.at))) {
      l.committed = p.committed;
      l.at = p.at;
      l.committed_here = true;
    } else if (!l.committed_here && p.told >= 0) {
      l.committed = p.told;
    }
    l.none = l.none || p.told_none;
  }
  std::vector<Lag> out;
  for (auto& [key, l] : rows) {
    l.partition = key;
    if (const auto end = seen.ends.find(key); end != seen.ends.end()) l.end = end->second;
    out.push_back(l);
  }
  std::sort(out.begin(), out.end(),
            [&](const Lag& a, const Lag& b) { return seen.topics.before(a.partition, b.partition); });
  return out;
}

namespace {

using story::number_or_null;
using story::text_or_null;

struct Writer {
  JsonWriter& json;
  const GroupsSeen& seen;
  const Group& g;
  const std::vector<std::string>& captures;
  JsonDump dump{JsonOptions{}};

  void tasks(std::vector<Task> all) {
    std::sort(all.begin(), all.end());
    json.begin_array();
    for (std::size_t i = 0; i < all.size();) {
      json.begin_object();
      constexpr std::string_view roles[] = {"active", "standby", "warmup"};
      story::text(json, "role", roles[static_cast<int>(all[i].role)]);
      story::text(json, "subtopology", all[i].subtopology);
      json.key("partitions");
      json.begin_array();
      const Task now = all[i];
      for (; i < all.size() && all[i].role == now.role && all[i].subtopology == now.subtopology; ++i)
        json.integer(all[i].partition);
      json.end_array();
      json.end_object();
    }
    json.end_array();
  }

  void assignment(std::string_view name, const Assignment& a) {
    if (!a.told || a.cut) {
      json.key(name);
      json.null();
      return;
    }
    if (!a.raw.empty()) {
      json.key(name);
      Error error;
      const std::size_t before = json.size();
      const bool connect = g.protocol_type == "connect";
      if (connect && dump.payload(json, "connect-assignment", -1, -1, a.raw, error)) return;
      json.truncate(before);
      json.base64(a.raw);
      return;
    }
    if (!a.tasks.empty()) {
      json.key(name);
      return tasks(a.tasks);
    }
    story::partitions(json, name, a.partitions, seen.topics);
  }

  void member_name(std::string_view name, std::uint32_t m) {
    text_or_null(json, name, m ? g.members[m - 1].member : std::string());
  }
  void person(std::uint32_t n) {
    const story::Person* p = n ? &g.people[n - 1] : nullptr;
    json.key("clientId");
    !p || p->client_id_null ? json.null() : static_cast<void>(json.string(p->client_id));
    text_or_null(json, "address", p ? p->address : std::string());
  }

  void event(const Event& e) {
    json.begin_object();
    story::place(json, e.first, e.at, captures);
    story::text(json, "event", name_of(e.what));
    number_or_null(json, "generation", e.generation);
    member_name("member", e.member);
    text_or_null(json, "instance",
                 !e.instance.empty() ? e.instance
                 : e.member          ? g.members[e.member - 1].instance
                                     : std::string());
    person(e.by);
    text_or_null(json, "reason", e.reason);
    assignment("assignment", e.assignment);
    story::error(json, "error", e.error);
    if (!e.call.empty()) story::text(json, "call", e.call);
    if (e.count > 1) story::number(json, "count", e.count);
    if (e.what == What::assigned && !e.assignment.cut) {
      story::partitions(json, "added", e.added, seen.topics);
      story::partitions(json, "removed", e.removed, seen.topics);
    }
    if (!e.leader.empty()) story::text(json, "leader", e.leader);
    if (!e.protocol.empty()) story::text(json, "protocol", e.protocol);
    if (e.what == What::generation) generation(e);
    json.end_object();
  }

  void generation(const Event& e) {
    story::milliseconds(json, "standstillMs", e.standstill_ns);
    number_or_null(json, "members", e.members == 0 ? -1 : e.members);
    story::number(json, "synced", e.synced);
    json.key("assignments");
    json.begin_array();
    for (const auto& [m, a] : e.plan) {
      json.begin_object();
      member_name("member", m);
      assignment("assignment", a);
      json.end_object();
    }
    json.end_array();
    json.key("moved");
    if (!e.moved_known) {
      json.null();
      return;
    }
    json.begin_array();
    for (const Moved& m : e.moved) {
      json.begin_object();
      story::topic(json, seen.topics.label(m.what.topic));
      story::number(json, "partition", m.what.partition);
      member_name("from", m.from);
      member_name("to", m.to);
      json.end_object();
    }
    json.end_array();
  }

  void acknowledgements(const std::map<std::int8_t, std::uint64_t>& by_type) {
    json.key("acknowledged");
    json.begin_object();
    for (const auto& [type, records] : by_type) {
      json.key(share_acknowledge_name(type));
      json.unsigned_integer(records);
    }
    json.end_object();
  }

  void member(const Member& m) {
    json.begin_object();
    story::text(json, "member", m.member);
    text_or_null(json, "instance", m.instance);
    person(m.person);
    const story::Person* p = m.person ? &g.people[m.person - 1] : nullptr;
    text_or_null(json, "software", p ? p->software : std::string());
    text_or_null(json, "softwareVersion", p ? p->software_version : std::string());
    text_or_null(json, "rack", m.rack);
    json.key("joined");
    m.joined.packet == 0 ? json.null() : static_cast<void>(json.string(cli_time(m.joined)));
    text_or_null(json, "gone", m.gone);
    text_or_null(json, "goneReason", m.gone_reason);
    json.key("goneAt");
    m.gone.empty() ? json.null() : static_cast<void>(json.string(cli_time(m.gone_at)));
    number_or_null(json, "generation", m.generation);
    story::number(json, "heartbeats", static_cast<std::int64_t>(m.heartbeats));
    if (m.topics_known) {
      json.key("topics");
      json.begin_array();
      for (const std::string& t : m.topics) json.string(t);
      json.end_array();
      text_or_null(json, "topicRegex", m.topic_regex);
    }
    if (!m.tasks.empty()) {
      json.key("assignment");
      tasks({m.tasks.begin(), m.tasks.end()});
    } else if (m.assigned_known) {
      story::partitions(json, "assignment", {m.assigned.begin(), m.assigned.end()}, seen.topics);
    } else {
      json.key("assignment");
      json.null();
    }
    if (m.acquired > 0 || !m.acknowledged.empty()) {
      story::number(json, "acquired", static_cast<std::int64_t>(m.acquired));
      acknowledgements(m.acknowledged);
    }
    json.end_object();
  }

  static std::string cli_time(const Stamp& s) { return cli::rfc3339(s.time_ns); }

  void commit(const Commit& c) {
    json.begin_object();
    story::place(json, c.first, c.at, captures);
    member_name("member", c.member);
    person(c.by);
    number_or_null(json, "generation", c.generation);
    story::topic(json, seen.topics.label(seen.topics.same(c.partition.topic)));
    story::number(json, "partition", c.partition.partition);
    story::number(json, "offset", c.offset);
    text_or_null(json, "metadata", c.metadata);
    text_or_null(json, "transactionalId", c.transactional_id);
    json.key("answered");
    json.boolean(c.answered);
    story::error(json, "error", c.error);
    json.end_object();
  }

  void lag(const Lag& l) {
    json.begin_object();
    story::topic(json, seen.topics.label(l.partition.topic));
    story::number(json, "partition", l.partition.partition);
    number_or_null(json, "committed", l.committed);
    json.key("committedAt");
    l.committed_here ? static_cast<void>(json.string(cli_time(l.at))) : json.null();
    story::number(json, "commits", static_cast<std::int64_t>(l.commits));
    story::number(json, "failed", static_cast<std::int64_t>(l.failed));
    number_or_null(json, "end", l.end.offset);
    json.key("endAt");
    l.end.offset < 0 ? json.null() : static_cast<void>(json.string(cli_time(l.end.at)));
    number_or_null(json, "lag", l.lag());
    json.end_object();
  }

  void delivery(const PartitionKey& key, const Delivery& d) {
    json.begin_object();
    story::topic(json, seen.topics.label(seen.topics.same(key.topic)));
    story::number(json, "partition", key.partition);
    story::number(json, "acquired", static_cast<std::int64_t>(d.acquired));
    story::number(json, "redelivered", static_cast<std::int64_t>(d.redelivered));
    story::number(json, "mostDeliveries", d.most_deliveries);
    acknowledgements(d.acknowledged);
    story::number(json, "failed", static_cast<std::int64_t>(d.failed));
    story::number(json, "unanswered", static_cast<std::int64_t>(d.unanswered));
    json.end_object();
  }

  template <class Items, class F>
  void list(std::string_view name, const Items& items, F f) {
    json.key(name);
    json.begin_array();
    for (const auto& item : items) f(item);
    json.end_array();
  }

  void group() {
    json.begin_object();
    story::text(json, "group", g.name);
    text_or_null(json, "type", g.kind_known ? kparse::name_of(g.kind) : std::string_view{});
    text_or_null(json, "protocolType", g.protocol_type);
    text_or_null(json, "protocol", g.protocol);
    list("coordinators", g.coordinators, [this](const std::string& c) { json.string(c); });
    list("events", g.events, [this](const Event& e) { event(e); });
    list("members", g.members, [this](const Member& m) { member(m); });
    list("commits", g.commits, [this](const Commit& c) { commit(c); });
    list("offsets", lags(g, seen), [this](const Lag& l) { lag(l); });
    list("deliveries", g.deliveries, [this](const auto& d) { delivery(d.first, d.second); });
    story::milliseconds(json, "standstillMs", g.standstill_ns);
    json.end_object();
  }
};

}  // namespace

void write_groups(JsonWriter& json, const GroupsSeen& seen, const std::vector<std::string>& captures) {
  json.key("groups");
  json.begin_array();
  for (const Group& g : seen.groups) {
    Writer writer{json, seen, g, captures};
    writer.group();
  }
  json.end_array();
  story::limits(json, seen.limits);
}

}  // namespace kparse::groups
