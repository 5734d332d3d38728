// SPDX-License-Identifier: MIT
// Bytes that the capture lacks.
#include <gtest/gtest.h>

#include "tcp_talk.h"

namespace kparse::capture {
namespace {

TEST(TcpLoss, AckedHoleIsLostAfterAWhile) {
  Talk t;
  t.handshake().client(0, 0, "abc").client(6, 0, "ghi").server(0, 9, "xy");
  EXPECT_EQ(t.recorder.log, "0:abc@4/4 ");
  t.pass(63, 9, 2);
  EXPECT_EQ(t.from_client(), "abc");
  t.pass(2, 9, 2);
  // The hole shows in packet 5; what is behind it was complete with its own packet, and the answer comes after it.
  EXPECT_EQ(t.recorder.log, "0:abc@4/4 0:lost3@5 0:ghi@5/5 1:xy@6/6 ");
  t.client(3, 0, "def");
  EXPECT_EQ(t.table.stats().late_bytes, 3u);
  EXPECT_EQ(t.table.stats().lost_bytes, 3u);
  EXPECT_EQ(t.table.stats().retransmitted_bytes, 0u);
}

TEST(TcpLoss, UnackedHoleIsWaitedFor) {
  Talk t;
  t.handshake().client(3, 0, "def");
  for (int i = 0; i < 500; ++i) t.server(0, 0);
  EXPECT_EQ(t.from_client(), "");
  t.client(0, 0, "abc");
  EXPECT_EQ(t.from_client(), "abcdef");
}

TEST(TcpLoss, NeedsTimeToo) {
  Talk t;
  t.handshake().client(3, 0, "def").server(0, 6);
  for (int i = 0; i < 500; ++i) {
    t.time_ns -= 1'000'000;  // all within an instant
    t.client(6, 0);
  }
  EXPECT_EQ(t.from_client(), "");
  t.client(0, 0, "abc");
  EXPECT_EQ(t.from_client(), "abcdef");
}

TEST(TcpLoss, LostQuestionIsToldBeforeItsAnswer) {
  Talk t;
  t.handshake().server(0, 3, "xyz").client(3, 3, "def").server(3, 6, "w").end();
  EXPECT_EQ(t.recorder.log, "0:lost3@4 1:xyz@4/4 0:def@5/5 1:w@6/6 ");
}

TEST(TcpLoss, SeveralHolesKeepTheirOwnClocks) {
  Talk t;
  t.handshake();
  for (int i = 0; i < 100; ++i) t.client(4 * i + 2, 0, "ab").server(0, 4 * i + 4);  // every other segment is missing
  EXPECT_GT(t.conversation().at[0], 4u * 50);
  t.end();
  EXPECT_EQ(t.table.stats().lost_bytes, 200u);
  EXPECT_EQ(t.conversation().at[0], 400u);
}

TEST(TcpLoss, OneDirectionOnly) {
  Talk t;
  t.client(-1, -1, "", Talk::S).client(0, 0).client(0, 0, "abc").client(6, 40, "ghi");
  t.time_ns += 2'000'000'000;
  t.pass(64, 9, 40);
  EXPECT_EQ(t.from_client(), "abc[3]ghi");  // nobody acknowledges here
  t.end();
  EXPECT_EQ(t.from_server(), "[40]");  // never seen, but acknowledged
}

TEST(TcpLoss, FinShowsWhatIsMissingBeforeIt) {
  Talk t;
  t.handshake().client(0, 0, "abc").client(9, 0, "", Talk::F | Talk::A).end();
  EXPECT_EQ(t.from_client(), "abc[6]|");
}

TEST(TcpLoss, AckShowsWhatIsMissingAtTheEnd) {
  Talk t;
  t.handshake().client(0, 0, "abc").server(0, 10).end();
  EXPECT_EQ(t.from_client(), "abc[7]");
}

TEST(TcpLoss, AnUnseenFinIsNoByte) {
  Talk t;
  t.handshake().client(0, 0, "abc").server(0, 3, "xy").server(2, 4, "", Talk::F | Talk::A).client(4, 3).end();
  EXPECT_EQ(t.from_client(), "abc");
  EXPECT_EQ(t.table.stats().lost_bytes, 0u);
  Talk u;  // both the last bytes and the FIN
  u.handshake().client(0, 0, "abc").server(0, 7, "xy").server(2, 8, "", Talk::F | Talk::A).client(8, 3).end();
  EXPECT_EQ(u.from_client(), "abc[4]");
}

TEST(TcpLoss, LostSynAnswerStillGivesTheStart) {
  Talk t;
  t.client(-1, -1, "", Talk::S).client(0, 0).client(0, 0, "abc").server(4, 3, "yz").end();
  EXPECT_EQ(t.from_server(), "[4]yz");
  Talk u;  // the SYN is lost, its answer tells
  u.server(-1, 0, "", Talk::S | Talk::A).client(5, 0, "abc").end();
  EXPECT_EQ(u.conversation().syn, 1);
  EXPECT_EQ(u.from_server(), "[5]abc");
}

TEST(TcpLoss, MidStreamBytesAfterTheFirstPacketMustHaveBeen) {
  Talk t;  // both SYNs are lost, the ACK of the handshake isn't
  t.client(0, 0).client(49, 0, "abc").server(0, 52, "xy").end();
  EXPECT_EQ(t.from_client(), "[49]abc");
  Talk u;
  u.client(-1, 0).client(0, 0, "abc").end();  // a keep-alive shows nothing
  EXPECT_EQ(u.from_client(), "abc");
}

TEST(TcpLoss, CutBySnaplenIsToldAtOnce) {
  Talk t;
  t.handshake().cut_off(4).client(0, 0, "abcdef").client(6, 0, "g").cut_off(3).client(7, 0, "hij").client(10, 0, "k");
  EXPECT_EQ(t.from_client(), "ab<4>g<3>k");
  EXPECT_EQ(t.table.stats().cut_bytes, 7u);
  EXPECT_EQ(t.table.stats().lost_bytes, 0u);
}

TEST(TcpLoss, CutSegmentsOutOfOrder) {
  Talk t;
  t.handshake().cut_off(3).client(6, 0, "ghi").cut_off(1).client(3, 0, "def").client(0, 0, "abc");
  EXPECT_EQ(t.from_client(), "abcde<1><3>");
  Talk u;  // a copy that has more
  u.handshake().cut_off(2).client(3, 0, "def").client(4, 0, "ef").client(0, 0, "abc");
  EXPECT_EQ(u.from_client(), "abcdef");
}

TEST(TcpLoss, AbsurdAcksAreIgnored) {
  Talk t;
  t.handshake().client(0, 0, "abc").server(0, 200'000'000).pass(200, 3, 0).client(3, 0, "def").end();
  EXPECT_EQ(t.from_client(), "abcdef");
}

TEST(TcpLoss, AnAckAheadOfBytesThatStillComeIsNoLoss) {
  Talk t;
  t.handshake().server(0, 60).client(0, 0, "abc");
  for (int i = 1; i < 100; ++i) t.client(3 * i, 0, "abc");
  EXPECT_EQ(t.conversation().at[0], 300u);
  EXPECT_EQ(t.table.stats().lost_bytes, 0u);
}

TEST(TcpLoss, HeldBytesAreBounded) {
  TcpOptions o;
  o.max_held_direction = 10'000;
  Talk t(o);
  t.handshake();
  for (int i = 1; i < 200; ++i) t.client(100 * i, 0, std::string(100, 'x'));  // the first never comes
  EXPECT_GT(t.conversation().at[0], 10'000u);
  EXPECT_GE(t.table.stats().held_limit, 1u);
  t.end();
  EXPECT_EQ(t.table.stats().lost_bytes, 100u);
}

TEST(TcpLoss, HeldBytesOfAllConnectionsAreBounded) {
  TcpOptions o;
  o.max_held = 50'000;
  Talk t(o);
  for (int i = 0; i < 100; ++i) {
    t.port = static_cast<std::uint16_t>(1000 + i);
    t.handshake().client(10, 0, std::string(1000, 'x'));
  }
  EXPECT_EQ(t.from_client(0), "[10]" + std::string(1000, 'x'));  // the one that waited longest
  EXPECT_EQ(t.from_client(99), "");
}

TEST(TcpLoss, ManyTinyPiecesAreNotSlow) {
  TcpOptions o;
  o.max_held_direction = 64u << 20;
  o.max_held = 64u << 20;
  Talk t(o);
  t.handshake();
  for (int i = 100'000; i > 0; --i) t.client(2 * i, 0, "x");
  t.end();
  EXPECT_EQ(t.conversation().at[0], 200'001u);
}

}  // namespace
}  // namespace kparse::capture
