// SPDX-License-Identifier: MIT
// Streams of which every byte is in the capture somewhere.
#include <gtest/gtest.h>

#include "tcp_talk.h"

namespace kparse::capture {
namespace {

TEST(TcpOrder, InOrderIsPassedOnAtOnce) {
  Talk t;
  t.handshake().client(0, 0, "abc").server(0, 3, "xyz").client(3, 3, "de");
  EXPECT_EQ(t.from_client(), "abcde");
  EXPECT_EQ(t.from_server(), "xyz");
  EXPECT_EQ(t.conversation().syn, 0);
  t.client(5, 3, "", Talk::F | Talk::A).server(3, 6, "", Talk::F | Talk::A);
  EXPECT_EQ(t.conversation().closed, "fin");
  t.client(6, 4).end();
  EXPECT_EQ(t.from_client(), "abcde|");
  EXPECT_EQ(t.recorder.all.size(), 1u);
  EXPECT_EQ(t.conversation().closed, "fin");
  EXPECT_EQ(t.table.stats().lost_bytes, 0u);
}

TEST(TcpOrder, LaterSegmentsWaitAndNameTheirPacket) {
  Talk t;
  t.handshake().client(3, 0, "def").client(6, 0, "ghi");
  EXPECT_EQ(t.from_client(), "");
  t.client(0, 0, "abc").client(9, 0, "j");
  EXPECT_EQ(t.recorder.log, "0:abc@6/6 0:def@4/6 0:ghi@5/6 0:j@7/7 ");
}

TEST(TcpOrder, OverlapsAreTrimmedAndTheFirstCopyWins) {
  Talk t;
  t.handshake().client(0, 0, "abcd").client(2, 0, "CDef").client(8, 0, "ij").client(7, 0, "hIJk").client(5, 0, "Fgh");
  EXPECT_EQ(t.from_client(), "abcdefghijk");
  EXPECT_EQ(t.table.stats().conflicting_bytes, 2u);  // I and J; what was passed on already can't be compared in part
  EXPECT_EQ(t.table.stats().retransmitted_bytes, 2u + 2u + 1u + 1u);
}

TEST(TcpOrder, ConflictingCopyOfAWholeSegment) {
  Talk t;
  t.handshake().client(0, 0, "abcd").client(0, 0, "abcd").client(0, 0, "abXd").client(4, 0, "e");
  EXPECT_EQ(t.from_client(), "abcde");
  EXPECT_EQ(t.table.stats().conflicting_bytes, 4u);
  EXPECT_EQ(t.table.stats().retransmitted_bytes, 8u);
}

TEST(TcpOrder, SequenceNumbersWrap) {
  for (const std::uint32_t isn : {0xfffffff0u, 0xffffffffu, 0xfffffffeu, 0x7ffffffau}) {
    Talk t;
    t.client_isn = isn;
    t.server_isn = isn + 5;
    t.handshake();
    std::string all;
    for (int i = 0; i < 20; i += 2) {
      t.client(3 * i + 3, i, "DEF").client(3 * i, i, "abc").server(i, 3 * i + 6, "xy");
      all += "abcDEF";
    }
    EXPECT_EQ(t.from_client(), all);
    EXPECT_EQ(t.from_server().size(), 20u);
  }
}

TEST(TcpOrder, MoreThanFourGibibytes) {
  Talk t;
  t.handshake();
  const std::string block(1 << 20, 'x');
  struct Count : StreamHandler {
    std::uint64_t end = 0;
    void on_data(Conn&, int, std::uint64_t offset, Bytes b, const Stamp&, const Stamp&) override {
      EXPECT_EQ(offset, end);
      end += b.size();
    }
  } count;
  TcpTable table(count);
  Segment s;
  s.source.port = 1;
  s.payload = {reinterpret_cast<const std::uint8_t*>(block.data()), block.size()};
  s.wire_payload = static_cast<std::uint32_t>(block.size());
  s.flags = Segment::syn;
  s.seq = 77 - 1;
  table.add(s, {});  // data in the SYN
  s.flags = Segment::ack;
  for (std::uint64_t i = 1; i < 5000; ++i) {
    s.seq = static_cast<std::uint32_t>(77 + i * block.size());
    s.ip_id = static_cast<std::uint32_t>(i);
    table.add(s, {static_cast<std::int64_t>(i), i, 0});
  }
  EXPECT_EQ(count.end, 5000ull << 20);
}

TEST(TcpOrder, DuplicatePacketsAndRetransmissions) {
  Talk t;
  t.handshake().client(0, 0, "abc").again().client(0, 0, "abc");
  EXPECT_EQ(t.table.stats().duplicate_packets, 1u);
  EXPECT_EQ(t.table.stats().retransmitted_bytes, 3u);
  t.client(0, 0, "abc");  // another IP identification: sent again
  EXPECT_EQ(t.table.stats().duplicate_packets, 1u);
  EXPECT_EQ(t.table.stats().retransmitted_bytes, 6u);
  t.id = 0;
  t.time_ns += 1'000'000'000;
  t.client(3, 0).client(3, 0);  // repeated ACKs without identification, 1 ms apart
  t.time_ns += 1'000'000'000;
  t.client(3, 0);
  EXPECT_EQ(t.table.stats().duplicate_packets, 2u);
}

TEST(TcpOrder, KeepAlivesAndZeroWindowProbes) {
  Talk t;
  t.handshake().client(0, 0, "abc").server(0, 3).client(2, 0).server(0, 3).client(2, 0, "?").server(0, 3);
  t.client(3, 0, "d").server(0, 3).client(3, 0, "def").server(0, 6);
  EXPECT_EQ(t.from_client(), "abcdef");
  EXPECT_EQ(t.table.stats().keepalives, 1u);
  t.end();
  EXPECT_EQ(t.table.stats().lost_bytes, 0u);
}

TEST(TcpOrder, DataInSynAndBeyondFin) {
  Talk t;
  t.client(-1, -1, "abc", Talk::S).server(-1, 3, "", Talk::S | Talk::A).client(3, 0, "de", Talk::F | Talk::A);
  t.client(5, 0, "zzz").client(3, 0, "dezz").end();
  EXPECT_EQ(t.from_client(), "abcde|");
}

TEST(TcpOrder, AnswersWaitForTheirQuestions) {
  Talk t;
  // the capture has the answer, and the next question, before the first one
  t.handshake().server(0, 3, "xyz").client(3, 3, "def").client(0, 0, "abc").server(3, 6, "w");
  EXPECT_EQ(t.recorder.log, "0:abc@6/6 1:xyz@4/6 0:def@5/6 1:w@7/7 ");
  EXPECT_EQ(t.table.stats().lost_bytes, 0u);
}

TEST(TcpOrder, OneDirectionAhead) {
  // Two taps whose clocks differ: the server's packets come 60 packets early.
  Talk t;
  t.handshake();
  for (int i = 0; i < 400; ++i) {
    if (i < 300) t.server(2 * i, 3 * (i + 1), "xy");
    if (i >= 30 && i < 330) t.client(3 * (i - 30), 2 * (i - 30), "abc");
  }
  t.end();
  EXPECT_EQ(t.conversation().at[0], 900u);
  EXPECT_EQ(t.conversation().at[1], 600u);
  EXPECT_EQ(t.table.stats().lost_bytes, 0u);
}

TEST(TcpOrder, SynOutOfPlace) {
  Talk t;
  t.server(-1, 0, "", Talk::S | Talk::A)
      .client(0, 0)
      .client(3, 0, "def")
      .client(0, 0, "abc")
      .client(-1, -1, "", Talk::S);
  EXPECT_EQ(t.recorder.all.size(), 1u);
  EXPECT_EQ(t.conversation().syn, 1);  // direction 1: the server's packet came first
  EXPECT_EQ(t.from_server(), "abcdef");
  Talk u;
  u.client(3, 0, "def").client(-1, -1, "", Talk::S).client(0, 0, "abc");
  EXPECT_EQ(u.recorder.all.size(), 1u);
  EXPECT_EQ(u.from_client(), "abcdef");
}

TEST(TcpOrder, MidStreamStart) {
  Talk t;
  t.client(500, 70, "abc").server(70, 503, "xyz").client(503, 73, "def").end();
  EXPECT_EQ(t.from_client(), "abcdef");
  EXPECT_EQ(t.from_server(), "xyz");
  EXPECT_EQ(t.conversation().syn, -1);
  EXPECT_EQ(t.table.stats().lost_bytes, 0u);
}

TEST(TcpOrder, MidStreamStartWithTheFirstTwoPacketsExchanged) {
  Talk t;
  t.client(503, 70, "def").client(500, 70, "abc").client(506, 70, "g").end();
  EXPECT_EQ(t.from_client(), "abcdefg");
}

TEST(TcpOrder, MidStreamStartWaitsForWhatIsOutOfPlace) {
  Talk t;
  t.client(506, 70).client(503, 70, "def").client(500, 70, "abc").client(506, 70, "g").pass(65, 507, 70);
  EXPECT_EQ(t.from_client(), "abcdefg");
}

TEST(TcpOrder, EndsOutOfPlaceInMidStream) {
  Talk t;
  t.client(500, 70, "abc").server(73, 504, "", Talk::F | Talk::A).client(503, 73, "", Talk::F | Talk::A);
  t.server(70, 503, "xyz").end();
  EXPECT_EQ(t.from_client(), "abc|");
  EXPECT_EQ(t.from_server(), "xyz|");
}

TEST(TcpOrder, EveryOrderOfFiveSegments) {
  std::vector<int> order = {0, 1, 2, 3, 4};
  do {
    Talk t;
    t.handshake();
    for (const int i : order)
      t.client(2 * i, 0, std::string(3, static_cast<char>('a' + i)));  // each overlaps the next by 1
    t.end();
    ASSERT_EQ(t.conversation().at[0], 11u);
    ASSERT_EQ(t.table.stats().lost_bytes, 0u);
  } while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace
}  // namespace kparse::capture
