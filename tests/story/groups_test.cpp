// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "groups/group_observer.h"
#include "groups/group_out.h"
#include "support.h"

namespace kparse::groups {
namespace {

using test::Talk;

/// A member of a classic group.
struct Worker {
  Talk& talk;
  std::string id, instance = {};
  std::string_view type = "consumer", protocol = "range";
  std::span<const GroupProtocol> offers = {};

  GroupCall call(GroupCall::Kind kind, std::int32_t generation) const {
    GroupCall c;
    c.kind = kind;
    c.group = "g";
    c.member = id;
    c.instance = instance;
    c.generation = generation;
    c.protocol_type = type;
    c.at = c.first = talk.now();
    return c;
  }
  /// Sends it and gives the call, which knows its time then.
  GroupCall ask(GroupCall::Kind kind, std::int32_t generation, std::string_view reason = {}) const {
    GroupCall c;
    talk.request([&] {
      c = call(kind, generation);
      c.reason = reason;
      c.protocols = offers;
      c.serial = talk.serial;
      talk.observer.on_group_call(c);
    });
    return c;
  }
  void joined(const GroupCall& c, std::int32_t generation, const std::vector<GroupMember>& all = {}) const {
    GroupAnswer a;
    a.generation = generation;
    a.member = id;
    a.leader = all.empty() ? std::string_view("other") : std::string_view(id);
    a.protocol_type = type;
    a.protocol = protocol;
    a.members = all;
    talk.response([&] { talk.observer.on_group_answer(c, a); }, c.serial);
  }
  void synced(const GroupCall& c, const std::vector<std::int32_t>& partitions) const {
    GroupAnswer a;
    a.assignment_told = true;
    a.protocol_type = type;
    std::vector<PartitionRef> refs;
    for (const std::int32_t p : partitions) refs.push_back({.topic = {.name = "t", .id = nullptr}, .partition = p});
    a.assigned = refs;
    talk.response([&] { talk.observer.on_group_answer(c, a); }, c.serial);
  }
  void failed(const GroupCall& c, std::int16_t error) const {
    GroupAnswer a;
    a.error = error;
    talk.response([&] { talk.observer.on_group_answer(c, a); }, c.serial);
  }
};

using Kind = GroupCall::Kind;

const Event* find(const Group& g, What w, std::int32_t generation) {
  for (const Event& e : g.events)
    if (e.what == w && e.generation == generation) return &e;
  return nullptr;
}

/// One member, then a second one joins.
void two_generations(Worker a, Worker b) {
  GroupCall ja = a.ask(Kind::join, -1);
  a.joined(ja, 1, {{.member = a.id}});
  a.synced(a.ask(Kind::sync, 1), {0, 1});
  const GroupCall jb = b.ask(Kind::join, -1);  // the first goes on meanwhile
  a.failed(a.ask(Kind::heartbeat, 1), 27);
  ja = a.ask(Kind::join, -1);
  a.joined(ja, 2, {{.member = a.id}, {.member = b.id}});
  b.joined(jb, 2);
  const GroupCall sa = a.ask(Kind::sync, 2), sb = b.ask(Kind::sync, 2);
  a.synced(sa, {0});
  b.synced(sb, {1});
}

TEST(Groups, GenerationsWithWhatMovedAndHowLongItTook) {
  GroupObserver observer;
  Talk talk(observer);
  two_generations({talk, "a"}, {talk, "b"});
  const GroupsSeen seen = observer.finish(Cluster());
  ASSERT_EQ(seen.groups.size(), 1u);
  const Group& g = seen.groups[0];
  EXPECT_EQ(g.generations, 2u);
  const Event* first = find(g, What::generation, 1);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->standstill_ns, 3'000'000);  // from its join in packet 1 to packet 4
  EXPECT_FALSE(first->moved_known);
  const Event* second = find(g, What::generation, 2);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->synced, 2u);
  EXPECT_EQ(second->standstill_ns, 6'000'000);  // from when "a" joins again, packet 8, to packet 14
  ASSERT_TRUE(second->moved_known);
  ASSERT_EQ(second->moved.size(), 1u);
  EXPECT_EQ(second->moved[0].what.partition, 1);
  EXPECT_EQ(g.members[second->moved[0].from - 1].member, "a");
  EXPECT_EQ(g.members[second->moved[0].to - 1].member, "b");
  EXPECT_EQ(g.standstill_ns, 9'000'000);
}

// Whose part isn't seen, may have had it all the while.
TEST(Groups, NothingIsSaidOfWhatWasNotSeen) {
  GroupObserver observer;
  Talk talk(observer);
  Worker a{talk, "a"}, b{talk, "b"};
  const GroupCall ja = a.ask(Kind::join, -1), jb = b.ask(Kind::join, -1);
  a.joined(ja, 7, {{.member = "a"}, {.member = "b"}});
  b.joined(jb, 7);
  a.synced(a.ask(Kind::sync, 7), {0});
  const GroupsSeen seen = observer.finish(Cluster());
  const Event* e = find(seen.groups[0], What::generation, 7);
  ASSERT_NE(e, nullptr);
  EXPECT_EQ(e->members, 2u);
  EXPECT_EQ(e->synced, 1u);
  EXPECT_EQ(e->standstill_ns, -1);
  EXPECT_FALSE(e->moved_known);
  EXPECT_EQ(seen.groups[0].standstill_ns, -1);
}

// The next member may come before anybody has its part.
TEST(Groups, AGenerationWithoutPartsCountsAndGoesOnStandingStill) {
  GroupObserver observer;
  Talk talk(observer);
  Worker a{talk, "a"};
  a.joined(a.ask(Kind::join, -1), 1, {{.member = "a"}});
  a.synced(a.ask(Kind::sync, 1), {0});
  a.joined(a.ask(Kind::join, -1), 2, {{.member = "a"}});  // packets 5, 6
  a.failed(a.ask(Kind::sync, 2), 27);
  a.joined(a.ask(Kind::join, -1), 3, {{.member = "a"}});
  a.synced(a.ask(Kind::sync, 3), {0});  // packets 11, 12
  a.joined(a.ask(Kind::join, -1), 4, {{.member = "a"}});
  const GroupsSeen seen = observer.finish(Cluster());
  const Group& g = seen.groups[0];
  EXPECT_EQ(g.generations, 4u);
  EXPECT_EQ(find(g, What::generation, 2), nullptr);
  const Event* third = find(g, What::generation, 3);
  ASSERT_NE(third, nullptr);
  EXPECT_EQ(third->standstill_ns, 7'000'000);
}

// KIP-415, KIP-429; Kafka Streams since 2.4.
TEST(Groups, OnlyEagerGroupsStandStillAsAWhole) {
  const std::uint8_t v0[] = {0, 0}, v1[] = {0, 1};
  const GroupProtocol before[] = {{.name = "stream", .metadata = v0}}, since[] = {{.name = "stream", .metadata = v1}};
  const struct {
    std::string_view type, protocol;
    std::span<const GroupProtocol> offers;
    std::int64_t event, all;
  } cases[] = {
      {"consumer", "range", {}, 6'000'000, 9'000'000},
      {"consumer", "stream", since, -1, 1'000'000},  // partition 1, from "a" to "b"
      {"consumer", "stream", before, 6'000'000, 9'000'000},
      {"consumer", "cooperative-sticky", {}, -1, 1'000'000},
      {"connect", "default", {}, 6'000'000, 9'000'000},
      {"connect", "compatible", {}, -1, -1},
      {"connect", "sessioned", {}, -1, -1},
  };
  for (const auto& x : cases) {
    GroupObserver observer;
    Talk talk(observer);
    Worker a{talk, "a", {}, x.type, x.protocol, x.offers}, b = a;
    b.id = "b";
    two_generations(a, b);
    const GroupsSeen seen = observer.finish(Cluster());
    const Event* e = find(seen.groups[0], What::generation, 2);
    ASSERT_NE(e, nullptr);
    EXPECT_EQ(e->standstill_ns, x.event) << x.type << ' ' << x.protocol;
    if (x.all >= 0) {
      EXPECT_EQ(seen.groups[0].standstill_ns, x.all) << x.type << ' ' << x.protocol;
    }
  }
}

// KIP-62: the leader hears of all members of its generation.
TEST(Groups, WhoIsNotListedIsNoMember) {
  GroupObserver observer;
  Talk talk(observer);
  Worker a{talk, "a"}, b{talk, "b"}, c{talk, "c"};
  two_generations(a, b);
  c.failed(c.ask(Kind::join, -1), 79);  // has its id, and isn't a member yet
  GroupCall ja = a.ask(Kind::join, -1);
  a.joined(ja, 3, {{.member = "a"}});
  a.synced(a.ask(Kind::sync, 3), {0, 1});
  const GroupsSeen seen = observer.finish(Cluster());
  const Group& g = seen.groups[0];
  const Event* e = find(g, What::not_listed, 3);
  ASSERT_NE(e, nullptr);
  EXPECT_EQ(g.members[e->member - 1].member, "b");
  for (const Member& m : g.members) EXPECT_EQ(m.gone, m.member == "b" ? "not listed" : "") << m.member;
}

/// A LeaveGroup whose member the capture's length per packet cut off.
void leave_cut(Talk& talk, std::span<const GroupMember> members) {
  GroupCall c;
  const auto serial = talk.request([&] {
    c.kind = Kind::leave;
    c.group = "g";
    c.members = members;
    c.whole = false;
    c.serial = talk.serial;
    talk.observer.on_group_call(c);
  });
  talk.response([&] { talk.observer.on_group_answer(c, {}); }, serial);
}

TEST(Groups, WhoLeavesWithoutAnIdIsNotTakenForRemoved) {
  const GroupMember blank[1]{};
  for (const int speakers : {0, 1, 2})
    for (const std::span<const GroupMember> members :
         {std::span<const GroupMember>(), std::span<const GroupMember>(blank)}) {
      GroupObserver observer;
      Talk talk(observer);
      const std::string ids[] = {"a", "b"};
      for (int i = 0; i < speakers; ++i) {
        Worker w{talk, ids[i]};
        w.joined(w.ask(Kind::join, -1), 1);
      }
      leave_cut(talk, members);
      const GroupsSeen seen = observer.finish(Cluster());
      const Group& g = seen.groups[0];
      const Event& e = g.events.back();
      EXPECT_EQ(e.what, What::leave);
      EXPECT_EQ(e.member, speakers == 1 ? 1u : 0u);
      for (const Member& m : g.members) EXPECT_EQ(m.gone, speakers == 1 ? "left" : "");
    }
}

TEST(Groups, TheSameFaultAgainIsOneEvent) {
  GroupObserver observer;
  Talk talk(observer);
  Worker a{talk, "a"};
  for (int i = 0; i < 50; ++i) a.failed(a.ask(Kind::heartbeat, 3), 25);
  const GroupsSeen seen = observer.finish(Cluster());
  ASSERT_EQ(seen.groups[0].events.size(), 1u);
  EXPECT_EQ(seen.groups[0].events[0].what, What::fenced);
  EXPECT_EQ(seen.groups[0].events[0].count, 50u);
  EXPECT_EQ(seen.groups[0].members[0].gone, "fenced");
}

TEST(Groups, LagIsTheEndLessWhatIsCommitted) {
  GroupObserver observer;
  Talk talk(observer);
  const std::uint8_t id[16] = {1};
  Cluster cluster;
  cluster.learn_topic(id, "t");
  const auto commit = talk.request([] {}, 8);
  talk.response(
      [&] {
        observer.on_offset_commit(
            {.group = "g", .topic = {.name = "t", .id = nullptr}, .partition = 0, .offset = 30, .answered = true});
        observer.on_offset_commit({.group = "g",
                                   .topic = {.name = "t", .id = nullptr},
                                   .partition = 0,
                                   .offset = 99,
                                   .answered = true,
                                   .error = 22});
      },
      commit, 8);
  // By id, in another place: the same topic.
  talk.response(
      [&] { observer.on_partition_fetched({.topic = {.name = {}, .id = id}, .partition = 0, .high_watermark = 42}); },
      talk.request([] {}, 1), 1);
  const GroupsSeen seen = observer.finish(cluster);
  const std::vector<Lag> rows = lags(seen.groups[0], seen);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].committed, 30);
  EXPECT_EQ(rows[0].lag(), 12);
  EXPECT_EQ(rows[0].failed, 1u);
}

TEST(Groups, FullTablesAreSaid) {
  Budget small;
  small.events = 2;
  small.members = 1;
  small.commits = 1;
  GroupObserver observer({}, small);
  Talk talk(observer);
  two_generations({talk, "a"}, {talk, "b"});
  for (int i = 0; i < 3; ++i)
    talk.response(
        [&] {
          observer.on_offset_commit(
              {.group = "g", .topic = {.name = "t", .id = nullptr}, .partition = 0, .offset = i, .answered = true});
        },
        talk.request([] {}, 8), 8);
  const GroupsSeen seen = observer.finish(Cluster());
  EXPECT_EQ(seen.groups[0].events.size(), 2u);
  EXPECT_EQ(seen.groups[0].members.size(), 1u);
  EXPECT_EQ(seen.groups[0].commits.size(), 1u);
  EXPECT_EQ(seen.groups[0].progress.begin()->second.committed, 2);  // the newest all the same
  std::map<std::string, std::uint64_t> out;
  for (const story::Limit& l : seen.limits) out[l.table] = l.left_out;
  EXPECT_GT(out["events of groups"], 0u);
  EXPECT_GT(out["members of groups"], 0u);
  EXPECT_EQ(out["commits"], 2u);
}

TEST(Groups, MoreGroupsThanTheBound) {
  GroupObserver observer;
  Talk talk(observer);
  talk.response(
      [&] {
        for (std::size_t i = 0; i < GroupObserver::max_groups + 5; ++i) {
          const std::string name = "g" + std::to_string(i);
          observer.on_offset_commit(
              {.group = name, .topic = {.name = "t", .id = nullptr}, .partition = 0, .offset = 1, .answered = true});
        }
      },
      talk.request([] {}, 8), 8);
  const GroupsSeen seen = observer.finish(Cluster());
  EXPECT_EQ(seen.groups.size(), GroupObserver::max_groups);
  EXPECT_EQ(seen.limits[0].left_out, 5u);
}

}  // namespace
}  // namespace kparse::groups
