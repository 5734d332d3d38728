// SPDX-License-Identifier: MIT
// Frames out of pieces: whole, split, lost in part, cut by the end.
#include <gtest/gtest.h>

#include "support.h"

using namespace kparse;
using namespace kparse::test;

namespace {

struct Views : ConnectionHandler {
  const std::uint8_t* data = nullptr;
  void on_request(const Request& r) override { data = r.frame.data.data(); }
};

}  // namespace

TEST(Framing, a_frame_in_one_piece_is_not_copied) {
  Views views;
  Connection c({}, views);
  c.syn_from(0);
  const std::string first = metadata(1), second = heartbeat(2) + metadata(3);
  const auto feed = [&c](std::uint64_t offset, const std::string& s) {
    c.data(0, offset, Bytes(reinterpret_cast<const std::uint8_t*>(s.data()), s.size()), {}, {});
  };
  feed(0, first);
  feed(first.size(), second);
  EXPECT_EQ(views.data, reinterpret_cast<const std::uint8_t*>(second.data()) + heartbeat(2).size() + 4);
}

TEST(Framing, packets_and_times_of_a_split_frame) {
  Talk t;
  t.heard.details = true;
  const std::string m = metadata(1), two = metadata(2) + heartbeat(3);
  t.c(m.substr(0, 2)).c(m.substr(2, 9)).c(m.substr(11) + two.substr(0, 31)).c(two.substr(31));
  EXPECT_EQ(t.finish(),
            "client is 0\nrequest 3 v1 #1 @0 p1-3/3\nrequest 3 v1 #2 @29 p3-3/3\nrequest 12 v0 #3 @58 p3-4/4\n"
            "unanswered 0\nunanswered 1\nunanswered 2\n");
}

TEST(Framing, a_segment_released_late_keeps_both_packets) {
  Recorder heard;
  Connection c({}, heard);
  c.syn_from(0);
  const std::string m = metadata(1) + metadata(2);
  const auto feed = [&](std::size_t from, std::size_t to, std::uint64_t carried, std::uint64_t now) {
    c.data(0, from, Bytes(reinterpret_cast<const std::uint8_t*>(m.data()) + from, to - from),
           {.time_ns = static_cast<std::int64_t>(carried), .packet = carried},
           {.time_ns = static_cast<std::int64_t>(now), .packet = now});
  };
  feed(0, 10, 2, 2);
  feed(10, m.size(), 1, 2);  // came first, waited for the bytes before it
  ASSERT_EQ(heard.completed.size(), 2u);
  EXPECT_EQ(heard.first[0].packet, 2u);
  EXPECT_EQ(heard.last[0].packet, 1u);
  EXPECT_EQ(heard.completed[0].packet, 2u);
  EXPECT_EQ(heard.first[1].packet, 1u);
  EXPECT_EQ(heard.completed[1].packet, 2u);
}

TEST(Framing, loss_inside_a_known_frame_needs_no_search) {
  Talk t;
  const std::string p = produce(2, 1, 1000);
  t.c(metadata(1)).c(p.substr(0, 100)).lose_c(300).c(p.substr(400)).c(heartbeat(3));
  EXPECT_EQ(
      t.finish(),
      "client is 0\nrequest 3 v1 #1 @0\ngap client @129 300\nrequest 0 v2 #2 @29 lost 96/1051\nrequest 12 v0 #3 @1084\n"
      "unanswered 0\nunanswered 1\nunanswered 2\n");
}

TEST(Framing, loss_up_to_the_very_end_of_a_frame) {
  Talk t;
  const std::string p = produce(2, 1, 1000);
  t.c(metadata(1)).c(p.substr(0, 100)).lose_c(p.size() - 100).c(heartbeat(3));
  EXPECT_NE(t.finish().find("request 12 v0 #3 @1084\n"), std::string::npos);
}

TEST(Framing, two_gaps_in_one_frame_tell_of_it_once) {
  Talk t;
  const std::string p = produce(2, 1, 1000);
  t.c(metadata(1)).c(p.substr(0, 100)).lose_c(50).c(p.substr(150, 50)).lose_c(200).c(p.substr(400) + metadata(4));
  EXPECT_EQ(
      t.finish(),
      "client is 0\nrequest 3 v1 #1 @0\ngap client @129 50\nrequest 0 v2 #2 @29 lost 96/1051\ngap client @229 200\n"
      "request 3 v1 #4 @1084\nunanswered 0\nunanswered 1\nunanswered 2\n");
}

TEST(Framing, a_damaged_answer_is_matched_by_its_id) {
  Talk t;
  t.c(metadata(1)).s(metadata_answer(1).substr(0, 12)).lose_s(31).c(heartbeat(2)).s(heartbeat_answer(2));
  EXPECT_EQ(t.finish(),
            "client is 0\nrequest 3 v1 #1 @0\ngap server @12 31\nresponse 3 v1 #1 @0 lost 8/39\nrequest 12 v0 #2 @29\n"
            "response 12 v0 #2 @43\n");
}

TEST(Framing, a_frame_of_which_only_the_size_is_left) {
  Talk t;
  t.c(metadata(1)).c(metadata(2).substr(0, 6)).lose_c(23).c(metadata(3));
  t.s(metadata_answer(1)).s(metadata_answer(2)).s(metadata_answer(3));
  EXPECT_EQ(
      t.finish(),
      "client is 0\nrequest 3 v1 #1 @0\ngap client @35 23\nrequest -1 v-1 #0 unknown partial-header @29 lost 2/25\n"
      "request 3 v1 #3 @58\nresponse 3 v1 #1 @0\nresponse unmatched #2 @43\nresponse 3 v1 #3 @86\n");
}

TEST(Framing, the_snapshot_length_cuts_every_packet) {
  Talk t;
  const std::string p = produce(1, 1, 1000);
  t.c(p.substr(0, 200))
      .lose(0, p.size() - 200, true)
      .s(produce_answer(1).substr(0, 20))
      .lose(1, produce_answer(1).size() - 20, true);
  EXPECT_EQ(t.finish(),
            "client is 0\ncut client @200 855\nrequest 0 v2 #1 @0 cut 196/1051\ncut server @20 27\nresponse 0 v2 #1 @0 "
            "cut 16/43\n");
}

TEST(Framing, the_connection_ends_inside_a_frame) {
  Talk t;
  t.c(metadata(1)).c(produce(2, 1).substr(0, 40)).end(0).s(metadata_answer(1));
  EXPECT_EQ(t.finish(),
            "client is 0\nrequest 3 v1 #1 @0\nrequest 0 v2 #2 @29 cut 36/71\nresponse 3 v1 #1 @0\nunanswered 1\n");
}

TEST(Framing, the_capture_ends_inside_the_first_request) {
  Talk t;
  t.c(metadata(1).substr(0, 16));
  EXPECT_EQ(t.finish(), "client is 0\nrequest 3 v1 #1 partial-header @0 cut 12/25\nunanswered 0\n");
}

TEST(Framing, sizes_that_cannot_be_end_the_place) {
  for (const std::int64_t size : {0ll, -1ll, 0x7fffffffll, 4ll}) {
    Talk t;
    t.c(metadata(1) + std::string(Out().i32(size).raw(std::string(20, '\0'))) + metadata(2) + heartbeat(3));
    EXPECT_EQ(
        t.finish(),
        "client is 0\nrequest 3 v1 #1 @0\nresync client 24\nrequest 3 v1 #2 @53\nrequest 12 v0 #3 @82\nunanswered 0\n"
        "unanswered 1\nunanswered 2\n")
        << size;
  }
}

TEST(Framing, a_claimed_size_costs_no_memory) {
  ConnectionOptions o;
  Talk t(true, o);
  t.c(metadata(1)).c(Out().i32(500 << 20).i16(0).i16(2).i32(7).str("test").i16(1).raw(std::string(100, 'x')).bytes());
  EXPECT_EQ(t.finish(),
            "client is 0\nrequest 3 v1 #1 @0\nrequest 0 v2 #7 @29 cut 116/524288000\nunanswered 0\nunanswered 1\n");
}
