// SPDX-License-Identifier: MIT
// Segments one by one: what each says of the network.
#include <gtest/gtest.h>

#include "tcp_talk.h"

namespace kparse::capture {
namespace {

std::string syn_options(int mss, int shift) {
  std::string o{2, 4, static_cast<char>(mss >> 8), static_cast<char>(mss & 255)};
  if (shift >= 0) o += {1, 3, 3, static_cast<char>(shift)};
  return o;
}

TEST(TcpSegments, OffsetsLengthsAndAcknowledgements) {
  Talk t;
  t.options = syn_options(1460, 7);
  t.handshake().client(0, 0, "abc").server(0, 3, "xy").client(3, 2, "d");
  const auto& s = t.recorder.segments;
  ASSERT_EQ(s.size(), 6u);
  EXPECT_TRUE(s[0].has(SegmentSeen::syn) && !s[0].has(SegmentSeen::ack));
  EXPECT_EQ(s[0].mss, 1460);
  EXPECT_EQ(s[0].direction, 0);
  EXPECT_EQ(s[1].direction, 1);
  EXPECT_TRUE(s[1].acknowledges);
  EXPECT_EQ(s[1].acknowledged, 0u);
  EXPECT_EQ(s[3].at.packet, 4u);
  EXPECT_TRUE(s[3].placed);
  EXPECT_EQ(s[3].offset, 0u);
  EXPECT_EQ(s[3].length, 3u);
  EXPECT_EQ(s[3].captured, 3u);
  EXPECT_EQ(s[4].acknowledged, 3u);
  EXPECT_EQ(s[5].offset, 3u);
  EXPECT_EQ(s[5].acknowledged, 2u);
  for (const SegmentSeen& x : s) EXPECT_FALSE(x.again || x.keepalive || x.duplicate) << x.at.packet;
}

TEST(TcpSegments, WindowsAreScaledWhereBothSynsOfferIt) {
  Talk t;
  t.options = syn_options(1460, 7);
  t.handshake().client(0, 0, "abc");
  const auto& s = t.recorder.segments;
  EXPECT_EQ(s[0].window, 500u);  // never in a SYN
  EXPECT_EQ(s[1].window, 500u);
  EXPECT_EQ(s[2].window, 500u << 7);
  EXPECT_TRUE(s[3].window_scaled);
}

TEST(TcpSegments, OneSynWithoutScaleTurnsItOffForBoth) {
  Talk t;
  t.options = syn_options(536, 7);
  t.client(-1, -1, "", Talk::S);
  t.options = syn_options(536, -1);
  t.server(-1, 0, "", Talk::S | Talk::A).client(0, 0);
  EXPECT_EQ(t.recorder.segments[2].window, 500u);
  EXPECT_TRUE(t.recorder.segments[2].window_scaled);
}

TEST(TcpSegments, ScaleOfAConnectionBegunBeforeIsUnknown) {
  Talk t;
  t.client(100, 100, "abc").server(100, 103, "xy");
  EXPECT_FALSE(t.recorder.segments[0].window_scaled);
  EXPECT_FALSE(t.recorder.segments[0].placed);
}

TEST(TcpSegments, BytesSentBefore) {
  Talk t;
  t.handshake().client(0, 0, "abcd").client(0, 0, "abcd").client(2, 0, "cdef").client(6, 0, "g");
  const auto& s = t.recorder.segments;
  EXPECT_FALSE(s[3].again);
  EXPECT_TRUE(s[4].again);
  EXPECT_TRUE(s[5].again);
  EXPECT_FALSE(s[6].again);
}

TEST(TcpSegments, OutOfOrderIsNotSentBefore) {
  Talk t;
  t.handshake().client(3, 0, "def").client(0, 0, "abc").client(9, 0, "jkl").client(9, 0, "jkl").client(6, 0, "ghi");
  const auto& s = t.recorder.segments;
  EXPECT_FALSE(s[3].again);
  EXPECT_FALSE(s[4].again);
  EXPECT_FALSE(s[5].again);
  EXPECT_TRUE(s[6].again);  // while it waits
  EXPECT_FALSE(s[7].again);
}

TEST(TcpSegments, WhatTheCaptureLostIsNotSentBefore) {
  Talk t;
  t.handshake().client(3, 0, "def").server(0, 6, "x").pass(100, 6, 1).client(0, 1, "abc");
  ASSERT_EQ(t.from_client(), "[3]def");
  EXPECT_FALSE(t.recorder.segments.back().again);
}

TEST(TcpSegments, KeepAlivesWithAndWithoutAByte) {
  Talk t;
  t.handshake().client(0, 0, "abc").server(0, 3).client(2, 0, "c").client(2, 0).client(3, 0, "d");
  const auto& s = t.recorder.segments;
  EXPECT_TRUE(s[5].keepalive);
  EXPECT_TRUE(s[6].keepalive);
  EXPECT_FALSE(s[5].again || s[6].again);
  EXPECT_FALSE(s[7].keepalive);
}

TEST(TcpSegments, AByteThatNobodyAcknowledgedIsNoKeepAlive) {
  Talk t;
  t.handshake().client(0, 0, "a").client(0, 0, "a");
  EXPECT_TRUE(t.recorder.segments[4].again);
  EXPECT_FALSE(t.recorder.segments[4].keepalive);
}

TEST(TcpSegments, TheLastByteOfALargerSegmentIsAKeepAlive) {
  Talk t;
  t.handshake().client(0, 0, "abc").client(2, 0, "c").client(2, 0, "c");
  EXPECT_TRUE(t.recorder.segments[4].keepalive);
  EXPECT_TRUE(t.recorder.segments[5].keepalive);
}

TEST(TcpSegments, TheSamePacketTwice) {
  Talk t;
  t.handshake().client(0, 0, "abc").again().client(0, 0, "abc");
  const SegmentSeen& s = t.recorder.segments.back();
  EXPECT_TRUE(s.duplicate);
  EXPECT_FALSE(s.again);
}

TEST(TcpSegments, SynAndFinAgain) {
  Talk t;
  t.client(-1, -1, "", Talk::S).client(-1, -1, "", Talk::S).server(-1, 0, "", Talk::S | Talk::A).client(0, 0);
  t.client(0, 0, "", Talk::F | Talk::A).client(0, 0, "", Talk::F | Talk::A);
  const auto& s = t.recorder.segments;
  EXPECT_FALSE(s[0].again);
  EXPECT_TRUE(s[1].again);
  EXPECT_FALSE(s[2].again);
  EXPECT_FALSE(s[4].again);
  EXPECT_TRUE(s[5].again);
}

TEST(TcpSegments, BytesCutBySnapshotLength) {
  Talk t;
  t.handshake().cut_off(2).client(0, 0, "abcdef");
  const SegmentSeen& s = t.recorder.segments.back();
  EXPECT_EQ(s.length, 6u);
  EXPECT_EQ(s.captured, 4u);
  EXPECT_EQ(s.missing, 2u);
}

TEST(TcpSegments, ResetsThatFit) {
  Talk t;
  t.handshake().client(0, 0, "abc").server(700'000'000, 3, "", Talk::R).server(0, 3, "", Talk::R | Talk::A);
  const auto& s = t.recorder.segments;
  ASSERT_EQ(s.size(), 5u);  // one reset is another connection's
  EXPECT_TRUE(s[4].has(SegmentSeen::rst));
}

TEST(TcpSegments, OptionsThatLie) {
  for (const std::string& o : {std::string("\x02\x04\x05", 3), std::string("\x03\x00\x07", 3), std::string("\x03", 1),
                               std::string("\x03\x03\xff", 3), std::string("\x00\x03\x03\x02", 4)}) {
    Talk t;
    t.options = o;
    t.handshake().client(0, 0, "abc");
    EXPECT_EQ(t.recorder.segments[0].mss, 0);
    EXPECT_EQ(t.recorder.segments[3].window, o.size() == 3 && o[1] == 3 ? 500u << 14 : 500u);
  }
}

TEST(TcpSegments, NobodyIsToldWhoDoesNotAsk) {
  struct Deaf : StreamHandler {
    void on_segment(Conn&, const SegmentSeen&) override { ADD_FAILURE(); }
  } deaf;
  TcpTable table(deaf);
  Segment s;
  s.flags = Segment::syn;
  table.add(s, {});
  table.finish();
}

}  // namespace
}  // namespace kparse::capture
