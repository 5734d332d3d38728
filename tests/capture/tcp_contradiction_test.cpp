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

}  // namespace
}  // namespace kparse::capture
