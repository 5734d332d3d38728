// SPDX-License-Identifier: MIT
// Which packets are one conversation.
#include <utility>

#include <gtest/gtest.h>

#include "tcp_talk.h"

namespace kparse::capture {
namespace {

constexpr auto F = Talk::F, S = Talk::S, R = Talk::R, A = Talk::A;

TEST(TcpConversation, NumbersFollowFirstPackets) {
  Talk t;
  t.port = 1;
  t.client(0, 0);  // no payload: counts all the same
  t.port = 2;
  t.handshake();
  t.port = 1;
  t.client(0, 0, "a");
  t.port = 3;
  t.client(0, 0, "", R);
  t.end();
  EXPECT_EQ(t.recorder.all.size(), 3u);
  EXPECT_EQ(t.from_client(0), "a");
  EXPECT_EQ(t.conversation(1).syn, 0);
  EXPECT_EQ(t.conversation(2).closed, "reset");
}

TEST(TcpConversation, TheBeginningOfTheOtherDirection) {
  Talk told, missed, late;
  told.client(-1, -1, "", S).client(0, 0).server(0, 3, "x").end();  // the first ACK tells
  EXPECT_EQ(told.conversation(0).begin_missed, -1);
  missed.client(-1, -1, "", S).client(3, 7, "d").server(7, 4, "x").end();
  EXPECT_EQ(missed.conversation(0).begin_missed, 1);
  late.client(0, 7, "d").server(7, 1, "x").end();  // no SYN at all
  EXPECT_EQ(late.conversation(0).begin_missed, -1);
}

TEST(TcpConversation, ReuseAfterFin) {
  Talk t;
  t.handshake().client(0, 0, "abc", F | A).server(0, 4, "", F | A).client(4, 1);
  t.client_isn = 900'000'000;
  t.server_isn = 300;
  t.handshake().client(0, 0, "def").end();
  ASSERT_EQ(t.recorder.all.size(), 2u);
  EXPECT_EQ(t.from_client(0), "abc|");
  EXPECT_EQ(t.from_client(1), "def");
  EXPECT_EQ(t.conversation(1).syn, 0);
}

TEST(TcpConversation, ReuseWithTheSameNumber) {
  Talk t;
  for (int i = 0; i < 3; ++i) {
    t.handshake().client(0, 0, "abc").client(3, 0, "", F | A).server(0, 4, "x").client(4, 2);  // one FIN isn't there
    t.time_ns += 1'000'000'000;
    t.server_isn += 5;
  }
  t.end();
  ASSERT_EQ(t.recorder.all.size(), 3u);
  for (const auto& [n, c] : t.recorder.all) EXPECT_EQ(c.stream[0], "abc|");
  EXPECT_EQ(t.conversation(0).closed, "reused");

  Talk reset;
  for (int i = 0; i < 2; ++i) {
    reset.handshake().client(0, 0, "abc").client(3, 0, "", R | A);
    reset.time_ns += 1'000'000'000;
  }
  EXPECT_EQ(reset.end().recorder.all.size(), 2u);
}

TEST(TcpConversation, TheSameNumberAgainIsNoReuse) {
  Talk late;  // out of place in the capture
  late.handshake().client(0, 0, "abc", F | A).client(-1, -1, "", S).end();
  EXPECT_EQ(late.recorder.all.size(), 1u);

  Talk twice;  // a file given twice
  twice.time_ns = 10'000'000'000;
  twice.handshake().client(0, 0, "abc", F | A);
  twice.time_ns = 5'000'000'000;
  twice.handshake().client(0, 0, "abc", F | A).end();
  EXPECT_EQ(twice.recorder.all.size(), 1u);

  Talk refused;  // some try again with the same number
  for (int i = 0; i < 3; ++i) {
    refused.client(-1, -1, "", S).send(1, 0, refused.client_isn + 1, "", R | A);
    refused.time_ns += 1'000'000'000;
  }
  EXPECT_EQ(refused.end().recorder.all.size(), 1u);
}

/// Packets of the old connection that the capture has after the new one's SYN begin nothing.
TEST(TcpConversation, StragglersAfterReuse) {
  Talk t;
  t.handshake().client(0, 0, "abc").server(0, 3, "xyz");
  const std::uint32_t old_client = t.client_isn, old_server = t.server_isn;
  const auto stragglers = [&] {
    const std::uint32_t new_client = std::exchange(t.client_isn, old_client);
    const std::uint32_t new_server = std::exchange(t.server_isn, old_server);
    t.server(3, 3, "uvw").client(3, 6, "def").client(6, 6, "", F | A).server(6, 7, "", F | A);
    t.client_isn = new_client;
    t.server_isn = new_server;
  };
  t.client_isn = 0x60000000;
  t.server_isn = 0x70000000;
  t.client(-1, -1, "", S).server(-1, 0, "", S | A);
  stragglers();
  t.client(0, 0, "ABC", F | A).server(0, 4, "XYZ", F | A);
  stragglers();
  t.client(4, 4).end();
  ASSERT_EQ(t.recorder.all.size(), 2u);
  EXPECT_EQ(t.from_client(1), "ABC|");
  EXPECT_EQ(t.from_server(1), "XYZ|");
  EXPECT_EQ(t.table.stats().stray_packets, 8u);
}

TEST(TcpConversation, ReuseWithoutAnEnd) {
  Talk t;
  t.handshake().client(0, 0, "abc").server(0, 3, "xy");
  t.client_isn += 100;  // even a near one
  t.server_isn += 900'000;
  t.handshake().client(0, 0, "def").end();
  ASSERT_EQ(t.recorder.all.size(), 2u);
  EXPECT_EQ(t.conversation(0).closed, "reused");
  EXPECT_EQ(t.from_client(1), "def");
}

TEST(TcpConversation, ReuseByTheOtherSide) {
  Talk t;
  t.handshake().client(0, 0, "abc", F | A).server(0, 4, "", F | A);
  t.server_isn = 77'000'000;
  t.client_isn = 99'000'000;
  t.server(-1, -1, "", S).client(-1, 0, "", S | A).server(0, 0, "xyz").end();
  ASSERT_EQ(t.recorder.all.size(), 2u);
  EXPECT_EQ(t.conversation(1).stream[0], "xyz");
  EXPECT_EQ(t.conversation(1).syn, 0);
}

TEST(TcpConversation, RepeatedSynsAreNoNewOnes) {
  Talk t;
  t.client(-1, -1, "", S).client(-1, -1, "", S).server(-1, 0, "", S | A).client(-1, -1, "", S).server(-1, 0, "", S | A);
  t.client(0, 0, "abc").server(-1, 0, "", S | A).client(3, 0, "def").client(-1, -1, "", S).end();
  EXPECT_EQ(t.recorder.all.size(), 1u);
  EXPECT_EQ(t.from_client(), "abcdef");
}

TEST(TcpConversation, SynAnswerWithAnotherNumber) {
  Talk t;
  t.client(-1, -1, "", S).server(-1, 0, "", S | A);
  t.server_isn = 0x40000000;
  t.client(-1, -1, "", S).server(-1, 0, "", S | A).client(0, 0, "abc").server(0, 3, "xyz").end();
  EXPECT_EQ(t.recorder.all.size(), 1u);
  EXPECT_EQ(t.from_client(), "abc");
  EXPECT_EQ(t.from_server(), "xyz");
}

TEST(TcpConversation, RefusedConnections) {
  Talk t;
  for (std::uint32_t i = 0; i < 5; ++i) {
    t.client_isn = 1000 + 7'000'000 * i;
    t.client(-1, -1, "", S);
    const std::uint32_t isn = t.server_isn;
    t.server_isn = static_cast<std::uint32_t>(-1);
    t.server(0, 0, "", R | A);
    t.server_isn = isn;
  }
  t.end();
  EXPECT_EQ(t.recorder.all.size(), 5u);
  for (const auto& [n, c] : t.recorder.all) EXPECT_EQ(c.closed, n < 4 ? "reused" : "reset");
}

TEST(TcpConversation, ResetEndsIt) {
  TcpOptions o;
  o.linger_packets = 10;
  Talk t(o);
  t.handshake().client(0, 0, "abc").server(0, 3, "", R | A);
  t.client(3, 0, "def");  // out of place, or sent before the reset came
  EXPECT_EQ(t.from_client(), "abcdef");
  t.port = 7;
  t.handshake().pass(10, 0, 0);
  EXPECT_EQ(t.conversation(0).closed, "reset");
  t.port = 40000;
  t.client(0, 0, "abc").client(6, 0).server(0, 6, "", R).end();  // stragglers
  EXPECT_EQ(t.recorder.all.size(), 2u);
}

TEST(TcpConversation, StrayResetIsIgnored) {
  TcpOptions o;
  o.linger_packets = 1;
  Talk t(o);
  t.handshake().client(0, 0, "abc").server(1'000'000'000, 0, "", R).server(-1'000'000, 0, "", R | A).pass(10, 3, 0);
  EXPECT_EQ(t.conversation().closed, "");
  EXPECT_EQ(t.table.stats().stray_packets, 2u);
  t.client(3, 0, "def").end();
  EXPECT_EQ(t.from_client(), "abcdef");
}

TEST(TcpConversation, ChallengeAck) {
  // RFC 5961: the server still has the old connection, answers the new SYN with an ACK of it, and is reset.
  Talk t;
  t.handshake().client(0, 0, "abc").server(0, 3, "xyz");
  const std::uint32_t old_client = t.client_isn, old_server = t.server_isn;
  const std::uint32_t new_client = 0x60000000, new_server = 0x70000000;
  t.client_isn = new_client;
  t.client(-1, -1, "", S);
  for (int i = 0; i < 2; ++i) {
    t.client_isn = old_client;
    t.server(3, 3);
    t.client(3, 0, "", R);
    t.client_isn = new_client;
    t.client(-1, -1, "", S);
  }
  t.server_isn = new_server;
  t.server(-1, 0, "", S | A).client(0, 0, "def").server(0, 3, "uvw").end();
  (void)old_server;
  ASSERT_EQ(t.recorder.all.size(), 2u);
  EXPECT_EQ(t.from_client(0), "abc");
  EXPECT_EQ(t.from_client(1), "def");
  EXPECT_EQ(t.from_server(1), "uvw");
  EXPECT_EQ(t.conversation(1).closed, "end");
}

TEST(TcpConversation, OldDuplicateSyn) {
  Talk t;
  t.handshake().client(0, 0, "abc");
  const std::uint32_t old = t.client_isn;
  t.client_isn = 0x50000000;
  t.server_isn = 0x20000000;
  t.handshake().client(0, 0, "def");
  t.client_isn = old;
  t.client(-1, -1, "", S);
  t.client_isn = 0x50000000;
  t.client(3, 0, "ghi").end();
  ASSERT_EQ(t.recorder.all.size(), 2u);
  EXPECT_EQ(t.from_client(1), "defghi");
}

TEST(TcpConversation, NewOneWhoseSynIsLost) {
  Talk t;
  t.handshake().client(0, 0, "abc").server(0, 3, "xy");
  t.client_isn = 0x50000000;
  t.server_isn = 0x20000000;
  t.client(10, 10, "lost?").server(10, 15, "AB").client(15, 12, "CD").server(12, 17, "EF").end();
  ASSERT_EQ(t.recorder.all.size(), 2u);  // the first of them could have been anything
  EXPECT_EQ(t.from_client(0), "abc");
  EXPECT_EQ(t.conversation(1).stream[0], "ABEF");
  EXPECT_EQ(t.conversation(1).stream[1], "CD");
}

TEST(TcpConversation, OneDamagedHeaderHarmsNothing) {
  Talk t;
  t.handshake().client(0, 0, "abc");
  t.send(0, 0x33333333, 0x77777777, "zzz", A);
  t.client(3, 0, "def").server(0, 6, "xyz").end();
  EXPECT_EQ(t.recorder.all.size(), 1u);
  EXPECT_EQ(t.from_client(), "abcdef");
  EXPECT_EQ(t.table.stats().stray_packets, 1u);
}

TEST(TcpConversation, TableIsBoundedAndTheIdlestGoes) {
  TcpOptions o;
  o.max_connections = 10;
  Talk t(o);
  for (std::uint16_t i = 0; i < 30; ++i) {
    t.port = static_cast<std::uint16_t>(100 + i);
    t.handshake();
    t.port = 100;
    t.client(i, 0, "x");  // never idle
  }
  EXPECT_EQ(t.table.live(), 10u);
  EXPECT_EQ(t.table.stats().evicted, 20u);
  EXPECT_EQ(t.conversation(1).closed, "evicted");
  t.end();
  EXPECT_EQ(t.from_client(0), std::string(30, 'x'));
}

TEST(TcpConversation, ClosedOnesAreForgottenInTheEnd) {
  TcpOptions o;
  o.max_closed = 5;
  Talk t(o);
  for (std::uint32_t i = 0; i < 100; ++i) {
    t.port = static_cast<std::uint16_t>(100 + i);
    t.handshake().client(0, 0, "x", F | A).server(0, 2, "", F | A).client(2, 1);
  }
  EXPECT_EQ(t.recorder.all.size(), 100u);
  EXPECT_EQ(t.table.live(), 0u);
  for (const auto& [n, c] : t.recorder.all) EXPECT_EQ(c.closed, "fin");
}

/// A flood of SYNs costs the oldest of them, and no connection that has spoken.
TEST(TcpConversation, ConnectionsWithoutDataHaveABoundOfTheirOwn) {
  TcpOptions o;
  o.max_silent = 3;
  Talk t(o);
  t.port = 1;
  t.handshake().client(0, 0, "a");
  for (t.port = 2; t.port < 40; ++t.port) t.client(-1, -1, "", S);
  EXPECT_EQ(t.table.live(), 1u + 3u);
  EXPECT_EQ(t.table.stats().silent_evicted, 35u);
  EXPECT_EQ(t.conversation(1).closed, "evicted");
  t.port = 1;
  t.client(1, 0, "b");
  t.port = 39;  // still there: the newest
  t.server(-1, 0, "", S | A).client(0, 0, "c").end();
  EXPECT_EQ(t.from_client(0), "ab");
  EXPECT_EQ(t.from_client(38), "c");
  EXPECT_EQ(t.recorder.all.size(), 39u);
}

}  // namespace
}  // namespace kparse::capture
