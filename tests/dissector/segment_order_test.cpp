// SPDX-License-Identifier: MIT
#include "segment_order.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kparse::dissector {
namespace {

/// A stream is written as its letters; what is missing as one '_' a byte, '~' if it was cut.
/// Direction 0 in `text`, 1 in `answers`, both as they come in `all`.
class Stream : public OrderedBytes {
 public:
  void on_bytes(int direction, std::uint64_t offset, Bytes b, Stamp, Stamp now) noexcept override {
    tell(direction, offset, std::string(b.begin(), b.end()));
    at.push_back(now.packet);
  }
  void on_missing(int direction, std::uint64_t offset, std::uint64_t bytes, bool cut, Stamp, Stamp) noexcept override {
    tell(direction, offset, std::string(static_cast<std::size_t>(bytes), cut ? '~' : '_'));
  }
  void tell(int direction, std::uint64_t offset, const std::string& what) {
    std::string& stream = direction == 0 ? text : answers;
    EXPECT_EQ(offset, stream.size() + start);
    stream += what;
    all += what;
  }
  std::string text, answers, all;
  std::vector<std::uint64_t> at;  // packets in which bytes came out
  std::size_t start = 0;
};

/// Direction 0, which nobody answers, unless said.
struct Feed {
  Stream stream;
  SegmentOrder order{stream};
  std::uint64_t packet = 0;

  SegmentOrder::Got add(std::uint32_t seq, std::string_view bytes, std::uint32_t wire = 0) {
    return add_to(0, seq, 0, bytes, wire);
  }
  SegmentOrder::Got add_to(int direction, std::uint32_t seq, std::uint32_t ack, std::string_view bytes,
                           std::uint32_t wire = 0) {
    const Bytes b(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    const Stamp stamp{.time_ns = static_cast<std::int64_t>(++packet) * 2'000'000, .packet = packet};
    return order.add(direction, {seq, ack, b, wire ? wire : static_cast<std::uint32_t>(bytes.size()), stamp});
  }
  /// `packets` of the connection pass.
  void pass(int packets, bool acks, std::uint32_t acked) {
    for (; packets > 0; --packets) {
      const Stamp now{.time_ns = static_cast<std::int64_t>(++packet) * 2'000'000, .packet = packet};
      order.check(now, {acks, false}, {acked, 0});
    }
  }
};

TEST(SegmentOrder, InOrderAtOnce) {
  Feed f;
  EXPECT_EQ(f.add(1, "abc"), SegmentOrder::Got::in_order);
  EXPECT_EQ(f.add(4, "de"), SegmentOrder::Got::in_order);
  EXPECT_EQ(f.stream.text, "abcde");
}

TEST(SegmentOrder, DisplacedSegmentsWaitForWhatGoesBefore) {
  Feed f;
  f.add(1, "abc");
  EXPECT_EQ(f.add(6, "fgh"), SegmentOrder::Got::early);
  EXPECT_EQ(f.add(9, "i"), SegmentOrder::Got::early);
  EXPECT_EQ(f.stream.text, "abc");
  EXPECT_EQ(f.add(4, "de"), SegmentOrder::Got::in_order);
  EXPECT_EQ(f.stream.text, "abcdefghi");
  EXPECT_EQ(f.stream.at, (std::vector<std::uint64_t>{1, 4, 4, 4}));
}

TEST(SegmentOrder, RepeatedBytesComeOnce) {
  Feed f;
  f.add(1, "abcd");
  EXPECT_EQ(f.add(1, "abcd"), SegmentOrder::Got::old);
  EXPECT_EQ(f.add(3, "cdef"), SegmentOrder::Got::in_order);
  f.add(9, "ij");
  f.add(8, "hijk");  // overlaps what waits
  f.add(7, "g");
  EXPECT_EQ(f.stream.text, "abcdefghijk");
}

TEST(SegmentOrder, SequenceNumbersWrap) {
  Feed f;
  f.order.begin_at(0, 0xfffffffe);
  f.add(1, "de");
  f.add(0xfffffffe, "abc");
  EXPECT_EQ(f.stream.text, "abcde");
}

TEST(SegmentOrder, AHoleThatTheAckCoversIsGivenUp) {
  Feed f;
  f.add(1, "abc");
  f.add(6, "fgh");
  f.pass(15, true, 9);
  EXPECT_EQ(f.stream.text, "abc");  // captures have packets out of place: not yet
  f.pass(10, true, 9);
  EXPECT_EQ(f.stream.text, "abc__fgh");
  EXPECT_EQ(f.add(4, "de"), SegmentOrder::Got::old);  // too late
}

TEST(SegmentOrder, AHoleThatNobodyAcknowledgesWaitsLonger) {
  Feed f;
  f.add(1, "abc");
  f.add(6, "fgh");
  f.pass(1000, true, 4);
  EXPECT_EQ(f.stream.text, "abc");
  f.pass(100, true, 4);
  EXPECT_EQ(f.stream.text, "abc__fgh");
}

TEST(SegmentOrder, BytesBehindALostHoleKeepTheirTime) {
  Feed f;
  f.add(1, "abc");
  f.add(6, "fgh");
  f.pass(20, true, 9);
  EXPECT_EQ(f.stream.at, (std::vector<std::uint64_t>{1, 2}));
}

TEST(SegmentOrder, AnAnswerWaitsForItsQuestion) {
  Feed f;
  f.order.begin_at(0, 1);
  f.order.begin_at(1, 501);
  EXPECT_EQ(f.add_to(1, 501, 4, "ANSWER"), SegmentOrder::Got::early);
  EXPECT_EQ(f.stream.all, "");
  EXPECT_EQ(f.add_to(0, 1, 501, "ask"), SegmentOrder::Got::in_order);
  EXPECT_EQ(f.stream.all, "askANSWER");
}

TEST(SegmentOrder, AFinIsNoByte) {
  Feed f;
  f.order.begin_at(0, 1);
  f.add_to(0, 1, 501, "ask");
  EXPECT_EQ(f.add_to(1, 501, 5, "ANSWER"), SegmentOrder::Got::in_order);
}

TEST(SegmentOrder, AQuestionThatNeverComesIsMissing) {
  Feed f;
  f.order.begin_at(0, 1);
  f.order.begin_at(1, 501);
  f.add_to(0, 1, 501, "ask");
  f.add_to(1, 501, 8, "ANSWER");  // acknowledges 4 bytes more
  f.pass(10, true, 8);
  EXPECT_EQ(f.stream.all, "ask");
  f.pass(10, true, 8);
  EXPECT_EQ(f.stream.all, "ask____ANSWER");
}

TEST(SegmentOrder, InACaptureOfOneDirectionTheOtherIsNotMissed) {
  Feed f;
  f.order.begin_at(0, 1);
  f.order.begin_at(1, 501);
  f.add_to(1, 501, 4, "ANSWER");
  f.pass(20, true, 4);
  EXPECT_EQ(f.stream.all, "ANSWER");
  EXPECT_EQ(f.add_to(1, 507, 40, "MORE"), SegmentOrder::Got::in_order);
}

TEST(SegmentOrder, ADirectionOfWhichOnlyTheSynIsThereWasLost) {
  Feed f;
  f.order.begin_at(0, 1);
  f.order.begin_at(1, 1);
  f.order.heard(0);
  EXPECT_EQ(f.add_to(1, 1, 45, "answer"), SegmentOrder::Got::early);
  f.order.finish({});
  EXPECT_EQ(f.stream.text, std::string(44, '_'));
  EXPECT_EQ(f.stream.answers, "answer");
}

TEST(SegmentOrder, CutBytesAreMissingAtOnce) {
  Feed f;
  f.add(1, "ab", 5);
  f.add(6, "fg");
  EXPECT_EQ(f.stream.text, "ab~~~fg");
}

TEST(SegmentOrder, WhatWaitsIsBounded) {
  Feed f;
  f.add(1, "a");
  const std::string mebibyte(1u << 20, 'x');
  std::uint32_t seq = 3;
  for (int i = 0; i < 17; ++i, seq += mebibyte.size()) f.add(seq, mebibyte);
  f.pass(1, false, 0);
  EXPECT_EQ(f.stream.text.size(), 2 + 17 * mebibyte.size());
  EXPECT_EQ(f.stream.text.substr(0, 3), "a_x");
}

TEST(SegmentOrder, WhoJoinsLateMissesNothing) {
  Feed f;
  f.order.begin_at(0, 1);
  f.order.join_late(0, 11, 0);
  f.stream.start = 10;
  f.add(11, "abc");
  EXPECT_EQ(f.stream.text, "abc");
}

TEST(SegmentOrder, WhoJoinsAtTheFirstByteWaitsForTheOtherSidesFirst) {
  Feed f;
  f.order.begin_at(0, 1);
  f.order.begin_at(1, 1);
  f.order.join_late(1, 1, 1);  // the client, direction 1, has sent nothing before
  EXPECT_EQ(f.add(4, "def"), SegmentOrder::Got::early);
  f.add(1, "abc");
  EXPECT_EQ(f.stream.text, "abcdef");
}

TEST(SegmentOrder, AnAckOfAFinIsOneByteLess) {
  for (const bool fin : {false, true}) {
    Feed f;
    f.order.begin_at(0, 1);
    f.order.begin_at(1, 1);
    f.add(1, "ab");
    if (fin) f.order.ends_at(0, 5);
    f.add_to(1, 1, 6, "answer");  // to "ab", two lost bytes and the FIN
    f.order.finish({});
    EXPECT_EQ(f.stream.text, fin ? "ab__" : "ab___");
    EXPECT_EQ(f.stream.answers, "answer");
  }
}

}  // namespace
}  // namespace kparse::dissector
