// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "details/network_observer.h"

namespace kparse::details {
namespace {

constexpr std::int64_t s = 1'000'000'000, ms = 1'000'000;
constexpr int client = 0, server = 1;

/// Segments of one connection; direction 0 is the client's.
struct Wire {
  NetworkObserver& observer;
  ConversationInfo info{.number = 0, .client = "10.0.0.1:50000", .server = "10.0.0.2:9092", .proxied = {},
                        .role_guessed = false, .client_direction = 0};

  void send(std::int64_t at, int from, int flags, std::uint32_t length = 0, bool again = false,
            std::uint32_t window = 1000) {
    SegmentSeen e;
    e.at = {.time_ns = at, .packet = 1, .file = 0};
    e.direction = from;
    e.flags = static_cast<std::uint8_t>(flags);
    e.length = length;
    e.again = again;
    e.window = window;
    observer.on_segment(info, e);
  }
  void connect(std::int64_t at) {
    send(at, client, SegmentSeen::syn);
    send(at, server, SegmentSeen::syn | SegmentSeen::ack);
    observer.on_conversation(info);
  }
  void close() { observer.on_close(info, {}); }
};

constexpr int ack = SegmentSeen::ack, fin = SegmentSeen::fin | SegmentSeen::ack, rst = SegmentSeen::rst;

NetworkRow one(NetworkObserver& o) {
  const NetworkObserver::Rows rows = o.finish();
  EXPECT_EQ(rows.size(), 1u);
  return rows.empty() ? NetworkRow{} : rows.begin()->second;
}

TEST(Network, an_ordinary_connection_is_no_news) {
  NetworkObserver o;
  Wire w{o};
  w.connect(0);
  w.send(ms, client, ack, 100);
  w.send(2 * ms, server, ack, 100);
  w.send(3 * ms, client, fin);
  w.send(4 * ms, server, fin);
  w.send(5 * ms, client, rst);  // after both ends: some clients close with answers unread
  w.close();
  EXPECT_TRUE(o.finish().empty());
}

TEST(Network, segments_sent_again_by_side) {
  NetworkObserver o;
  Wire w{o};
  w.connect(0);
  w.send(ms, client, ack, 100);
  w.send(300 * ms, client, ack, 100, true);
  w.send(301 * ms, server, ack, 100);
  w.close();
  const NetworkRow r = one(o);
  EXPECT_EQ(r.client.again, 1u);
  EXPECT_EQ(r.client.segments, 2u);
  EXPECT_EQ(r.server.again, 0u);
}

TEST(Network, a_full_receiver_until_it_has_room) {
  NetworkObserver o;
  Wire w{o};
  w.connect(0);
  w.send(1 * s, client, ack, 0, false, 0);
  w.send(2 * s, client, ack, 0, false, 0);
  w.send(4 * s, client, ack, 0, false, 500);
  w.send(5 * s, client, ack, 0, false, 0);
  w.close();
  const NetworkRow r = one(o);
  EXPECT_EQ(r.client.full, 2u);
  EXPECT_EQ(r.client.full_ns, 3 * s);  // how long the second lasted wasn't seen
  EXPECT_EQ(r.client.longest_full_ns, 3 * s);
}

TEST(Network, who_sent_the_reset) {
  NetworkObserver o;
  Wire w{o};
  w.connect(0);
  w.send(ms, client, ack, 100);
  w.send(2 * ms, server, rst);
  w.close();
  const NetworkRow r = one(o);
  EXPECT_EQ(r.server.resets, 1u);
  EXPECT_EQ(r.client.resets, 0u);
  EXPECT_EQ(r.vanished, 0u);
}

TEST(Network, closed_for_idleness_by_whom_and_after_how_long) {
  NetworkObserver o;
  Wire w{o};
  w.connect(0);
  w.send(1 * s, client, ack, 100);
  w.send(2 * s, server, ack, 100);
  w.send(602 * s, server, fin);
  w.close();
  const NetworkRow r = one(o);
  EXPECT_EQ(r.server.idle_ends, 1u);
  EXPECT_EQ(r.server.longest_idle_ns, 600 * s);
  EXPECT_EQ(r.client.idle_ends, 0u);
}

TEST(Network, a_connection_that_something_between_has_forgotten) {
  NetworkObserver o;
  Wire w{o};
  w.connect(0);
  w.send(1 * s, client, ack, 100);
  w.send(2 * s, server, ack, 100);
  w.send(400 * s, client, ack, 100);
  w.send(401 * s, client, ack, 100, true);
  w.send(403 * s, client, ack, 100, true);
  w.close();
  EXPECT_EQ(one(o).vanished, 1u);

  NetworkObserver p;
  Wire answered{p};
  answered.connect(0);
  answered.send(1 * s, client, ack, 100);
  answered.send(400 * s, client, ack, 100);
  answered.send(401 * s, client, ack, 100, true);
  answered.send(402 * s, server, ack);
  answered.close();
  EXPECT_EQ(one(p).vanished, 0u);

  NetworkObserver q;
  Wire reset{q};
  reset.connect(0);
  reset.send(1 * s, client, ack, 100);
  reset.send(400 * s, client, ack, 100);
  reset.send(400 * s + ms, server, rst);
  reset.close();
  EXPECT_EQ(one(q).vanished, 1u);
}

TEST(Network, a_dead_broker_refuses_and_one_that_is_away_says_nothing) {
  NetworkObserver o;
  Wire dead{o};
  dead.send(0, client, SegmentSeen::syn);
  dead.send(ms, server, rst | ack);
  dead.close();
  Wire away{o};
  away.info.number = 1;
  away.send(0, client, SegmentSeen::syn);
  away.send(s, client, SegmentSeen::syn, 0, true);
  away.close();
  Wire kafka{o};  // only its port tells what the others are
  kafka.info.number = 2;
  kafka.info.server = "10.0.0.3:9092";
  kafka.connect(0);
  kafka.close();
  Wire other{o};
  other.info.number = 3;
  other.info.server = "10.0.0.3:443";
  other.send(0, client, SegmentSeen::syn);
  other.send(ms, server, rst | ack);
  other.close();
  const NetworkRow r = one(o);
  EXPECT_EQ(r.refused, 1u);
  EXPECT_EQ(r.unheard, 1u);
  EXPECT_EQ(r.server.resets, 0u);
}

TEST(Network, packets_that_the_capture_has_twice_say_nothing) {
  NetworkObserver o;
  Wire w{o};
  w.connect(0);
  SegmentSeen e;
  e.direction = client;
  e.length = 100;
  e.again = e.duplicate = true;
  o.on_segment(w.info, e);
  w.close();
  EXPECT_TRUE(o.finish().empty());
}

TEST(Network, bounded) {
  NetworkObserver o;
  for (std::uint64_t i = 0; i < NetworkObserver::max_rows + 5; ++i) {
    const std::string name = "10.0.0.2:" + std::to_string(i);
    Wire w{o};
    w.info.number = i;
    w.info.server = name;
    w.send(0, client, SegmentSeen::syn);
    w.close();
  }
  EXPECT_EQ(o.left_out(), 5u);
}

}  // namespace
}  // namespace kparse::details
