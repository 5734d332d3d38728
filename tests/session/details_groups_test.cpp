// SPDX-License-Identifier: MIT
// Groups and committed offsets: from hand-made bodies.
#include "details.h"

namespace kparse {
namespace {

using test::Build;
using test::Details;
using test::DetailsTest;
using test::Lines;

TEST_F(DetailsTest, JoinWithReasonAndLeadersList) {
  request("JoinGroup", 8, test::join());
  response("JoinGroup", 8,
           Build()
               .i32(0)
               .i16(0)
               .i32(3)
               .cstr("consumer")
               .cstr("range")
               .cstr("m-1")
               .cstr("m-1")
               .carray(2)
               .cstr("m-1")
               .cstr("static-1")
               .cblob({})
               .no_tags()
               .cstr("m-2")
               .uvarint(0)
               .cblob({})
               .no_tags()
               .no_tags()
               .done());
  EXPECT_EQ(take(), (Lines{"call classic g m-1 -1 because why range",
                           "answer g m-1 error 0 generation 3 m-1 [m-1 0] [m-2 0]"}));
}

/// ConsumerProtocolAssignment 0: partitions of topic "t".
std::vector<std::uint8_t> plan(const std::vector<int>& partitions) {
  Build b;
  b.i16(0).i32(1).str("t").i32(static_cast<std::int64_t>(partitions.size()));
  for (const int p : partitions) b.i32(p);
  b.i32(-1);
  return b.done();
}

// Before version 5 SyncGroup doesn't say whose protocol it is: JoinGroup did, or the bytes must.
TEST_F(DetailsTest, SyncGivesTheAssignment) {
  const auto sync = Build().str("g").i32(3).str("m-1").i32(0).done();
  request("SyncGroup", 0, sync);
  response("SyncGroup", 0, Build().i16(0).blob(plan({0, 2})).done());
  request("SyncGroup", 0, sync);
  response("SyncGroup", 0, Build().i16(0).blob("not an assignment").done());
  EXPECT_EQ(take(), (Lines{"call classic g m-1 3", "answer g m-1 error 0 generation -1  t:0 t:2",
                           "call classic g m-1 3", "answer g m-1 error 0 generation -1 "}));
}

TEST_F(DetailsTest, LeavingOfOldAndNewVersions) {
  request("LeaveGroup", 0, Build().str("g").str("m-1").done());
  request("LeaveGroup", 5,
          Build().cstr("g").carray(1).cstr("").cstr("static-1").cstr("closed").no_tags().no_tags().done());
  response("LeaveGroup", 5,
           Build().i32(0).i16(0).carray(1).cstr("").cstr("static-1").i16(25).no_tags().no_tags().done());
  EXPECT_EQ(take(), (Lines{"call classic g m-1 -1 [m-1/ ]", "call classic g  -1 [/static-1 closed]",
                           "answer g  error 0 generation -1  [ 25]"}));
}

// Null means that nothing has changed, an empty list that there is nothing.
TEST_F(DetailsTest, HeartbeatOfKip848) {
  const auto beat = [](bool told) {
    Build b;
    b.cstr("g").cstr("m").i32(told ? 0 : 4).uvarint(0).uvarint(0).i32(told ? 300000 : -1);
    told ? b.carray(1).cstr("t") : b.uvarint(0);
    b.uvarint(0).uvarint(0);
    told ? b.carray(0) : b.uvarint(0);
    return b.no_tags().done();
  };
  request("ConsumerGroupHeartbeat", 1, beat(true));
  response("ConsumerGroupHeartbeat", 1,
           Build()
               .i32(0)
               .i16(0)
               .uvarint(0)
               .cstr("m")
               .i32(4)
               .i32(1000)
               .i8(1)
               .carray(1)
               .id(9)
               .carray(2)
               .i32(0)
               .i32(1)
               .no_tags()
               .no_tags()
               .no_tags()
               .done());
  request("ConsumerGroupHeartbeat", 1, beat(false));
  response("ConsumerGroupHeartbeat", 1,
           Build().i32(0).i16(0).uvarint(0).cstr("m").i32(4).i32(1000).i8(-1).no_tags().done());
  EXPECT_EQ(take(), (Lines{"call consumer g m 0 topics 1 owns 0", "answer g m error 0 generation 4 m #9:0 #9:1",
                           "call consumer g m 4", "answer g m error 0 generation 4 m"}));
}

TEST_F(DetailsTest, CommitsWithTheirResults) {
  const auto commit = Build()
                          .str("g")
                          .i32(1)
                          .str("m")
                          .i64(-1)
                          .i32(1)
                          .str("t")
                          .i32(2)
                          .i32(0)
                          .i64(11)
                          .str("")
                          .i32(1)
                          .i64(12)
                          .str("")
                          .done();
  request("OffsetCommit", 2, commit);
  // The answer in another order.
  response("OffsetCommit", 2, Build().i32(1).str("t").i32(2).i32(1).i16(27).i32(0).i16(0).done());
  request("OffsetCommit", 2, commit);
  interpreter().on_unanswered(serial_ - 1);
  EXPECT_EQ(take(), (Lines{"commit g t:0 11 error 0", "commit g t:1 12 error 27", "commit g t:0 11 unanswered",
                           "commit g t:1 12 unanswered"}));
}

TEST_F(DetailsTest, ListedOffsetsKnowWhatWasAsked) {
  request("ListOffsets", 1, Build().i32(-1).i32(1).str("t").i32(2).i32(0).i64(-1).i32(1).i64(-2).done());
  response("ListOffsets", 1,
           Build().i32(1).str("t").i32(2).i32(0).i16(0).i64(-1).i64(50).i32(1).i16(0).i64(-1).i64(3).done());
  EXPECT_EQ(take(), (Lines{"listed t:0 asked -1 offset 50", "listed t:1 asked -2 offset 3"}));
}

}  // namespace
}  // namespace kparse
