// SPDX-License-Identifier: MIT
// Packets that contradict each other: no stack sends them, but the streams must still be sound.
#include <gtest/gtest.h>

#include "tcp_talk.h"

namespace kparse::capture {
namespace {

TEST(TcpContradiction, AFinInFrontOfSeenBytesIsNoneInMidStream) {
  Talk t;
  t.client(100, 0, "a").client(3, 0, "", Talk::F | Talk::A).end();
  EXPECT_EQ(t.from_client(), "[97]a");
}

TEST(TcpContradiction, AFinInFrontOfBytesThatWaitIsNone) {
  Talk t;
  t.handshake().client(0, 0, "ab").client(10, 0, "xy").client(5, 0, "", Talk::F | Talk::A).end();
  EXPECT_EQ(t.from_client(), "ab[8]xy");
}

TEST(TcpContradiction, ASideThatHasEndedDoesNotBeginAnew) {
  Talk t;
  t.client(-1, -1, "", Talk::S).server(-1, 0, "", Talk::S | Talk::F | Talk::A);
  t.server_isn = 300'000;
  t.server(-1, 0, "", Talk::S | Talk::A).server(0, 0, "data").end();
  for (const auto& [n, c] : t.recorder.all) EXPECT_EQ(c.stream[1].find("|data"), std::string::npos) << n;
}

/// With a lower number than before, too: its end is still seen.
TEST(TcpContradiction, TheEndOfASideThatChoseItsNumberAgainIsSeen) {
  for (const std::uint32_t again : {3000u, 4'000'000'000u}) {
    Talk t;
    t.client(-1, -1, "", Talk::S).server(-1, 0, "", Talk::S | Talk::A).client(-1, -1, "", Talk::S);
    t.server_isn = again;
    t.server(-1, 0, "", Talk::S | Talk::A).client(0, 0).server(0, 0, "data", Talk::F | Talk::A).client(0, 5, "", Talk::F | Talk::A).end();
    EXPECT_EQ(t.from_server(), "data|") << again;
  }
}

}  // namespace
}  // namespace kparse::capture
