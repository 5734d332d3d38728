// SPDX-License-Identifier: MIT
// Finding the first whole frame where the place is unknown, and inventing none.
#include <gtest/gtest.h>

#include "support.h"

using namespace kparse;
using namespace kparse::test;
using namespace std::string_literals;

TEST(Resync, after_a_gap_over_several_requests) {
  Talk t;
  t.c(metadata(1)).lose_c(77).c(metadata(4)).s(metadata_answer(1)).s(metadata_answer(4));
  EXPECT_EQ(
      t.finish(),
      "client is 0\nrequest 3 v1 #1 @0\ngap client @29 77\nresync client 0\nrequest 3 v1 #4 @106\nresponse 3 v1 #1 @0\n"
      "response 3 v1 #4 @43\n");
}

TEST(Resync, a_gap_in_the_size_field) {
  Talk t;
  t.c(metadata(1)).c(metadata(2).substr(0, 3)).lose_c(5).c(metadata(2).substr(8) + metadata(3) + heartbeat(4));
  EXPECT_EQ(
      t.finish(),
      "client is 0\nrequest 3 v1 #1 @0\ngap client @32 5\nresync client 24\nrequest 3 v1 #3 @58\nrequest 12 v0 #4 @87\n"
      "unanswered 0\nunanswered 1\nunanswered 2\n");
}

TEST(Resync, the_tail_of_a_lost_frame_is_passed_over) {
  const std::string tail = produce(2, 1, 3000).substr(500);
  Talk t;
  t.c(metadata(1)).lose_c(700).c(tail.substr(0, 1000)).c(tail.substr(1000)).c(metadata(3));
  EXPECT_NE(t.finish().find("resync client " + std::to_string(tail.size()) + "\nrequest 3 v1 #3 @"), std::string::npos);
}

TEST(Resync, on_the_server_by_the_ids_that_are_awaited) {
  Talk t;
  t.c(metadata(1)).s(metadata_answer(1)).c(metadata(2) + heartbeat(3) + metadata(4));
  t.lose_s(60).s(heartbeat_answer(3).substr(5) + metadata_answer(4));
  EXPECT_EQ(t.finish(),
            "client is 0\nrequest 3 v1 #1 @0\nresponse 3 v1 #1 @0\nrequest 3 v1 #2 @29\nrequest 12 v0 #3 @58\nrequest "
            "3 v1 #4 @96\n"
            "gap server @43 60\nresync server 5\nresponse 3 v1 #4 @108\nunanswered 1\nunanswered 2\n");
}

namespace {
/// `frame` with a size of five million.
std::string far_too_long(std::string frame) { return "\0\x4c\x4b\x40"s + frame.substr(4); }
}  // namespace

TEST(Resync, a_size_that_the_content_denies_does_not_swallow_what_comes_after) {
  const std::string answers = metadata_answer(1) + far_too_long(metadata_answer(2)) + metadata_answer(3);
  Talk lost, ended;
  lost.c(metadata(1) + metadata(2) + metadata(3) + metadata(4)).s(answers).lose_s(20).s(metadata_answer(4));
  ended.c(metadata(1) + metadata(2) + metadata(3) + metadata(4)).s(answers);
  const std::string heard = lost.finish();
  EXPECT_NE(heard.find("response 3 v1 #3 @86\n"), heard.npos) << heard;
  EXPECT_NE(heard.find("response 3 v1 #4 @149\n"), heard.npos) << heard;
  const std::string at_end = ended.finish();
  EXPECT_NE(at_end.find("response 3 v1 #3 @86\n"), at_end.npos) << at_end;
}

TEST(Resync, partitions_of_a_fetch_are_no_requests) {
  Out partitions;  // the number, the offset, 1 MiB at most: read four bytes later, ListGroups version 0 without a client id
  for (int p = 0; p < 4; ++p) partitions.i32(p).i32(0).i32(12).i32(1 << 20);
  Talk t;
  t.lose_c(70).s(metadata_answer(1)).c(partitions.bytes()).lose_c(30).c(metadata(3)).s(metadata_answer(3));
  const std::string heard = t.finish();
  EXPECT_EQ(heard.find("request 16"), heard.npos) << heard;
  EXPECT_NE(heard.find("request 3 v1 #3"), heard.npos) << heard;
}

TEST(Resync, what_a_wrong_size_leads_to_swallows_no_answer) {
  const std::string wrong = Out().i32(6).i32(2).i16(0).bytes() + Out().i32(100).i32(-1).raw(std::string(20, 'x')).bytes();
  Talk t;
  t.c(metadata(1)).s(metadata_answer(1)).c(metadata(2)).s(wrong);
  t.c(metadata(3)).s(metadata_answer(3)).c(metadata(4)).s(metadata_answer(4)).c(metadata(5)).s(metadata_answer(5));
  const std::string heard = t.finish();
  for (const char* answer : {"response 3 v1 #3 @81", "response 3 v1 #4 @124", "response 3 v1 #5 @167"})
    EXPECT_NE(heard.find(answer), heard.npos) << answer << '\n' << heard;
  EXPECT_EQ(heard.find("#-1"), heard.npos) << heard;
}

TEST(Resync, answers_between_two_gaps_whose_requests_come_later) {
  Talk t;
  t.c(metadata(1)).s(metadata_answer(1)).lose_s(40).s(heartbeat_answer(2) + heartbeat_answer(3)).lose_s(14);
  t.c(heartbeat(3)).c(heartbeat(4));
  const std::string heard = t.finish();
  EXPECT_NE(heard.find("response unmatched #2 @83"), heard.npos) << heard;
  EXPECT_NE(heard.find("response 12 v0 #3 @93"), heard.npos) << heard;
}

TEST(Resync, the_last_batch_of_a_lost_answer_is_no_answer) {
  const auto batch = [](std::string records) {  // its first offset, size and leader epoch, magic 2, ...
    return Out().i32(0).i32(32).i32(static_cast<std::int32_t>(49 + records.size())).i32(0).raw("\x02").i32(0x29065300).i16(4).i32(7)
        .i32(1).i32(2).i32(1).i32(2).i32(-1).i32(-1).i16(-1).i32(-1).i32(8).raw(records).bytes();
  };
  Talk t;
  t.s(metadata_answer(1)).s(heartbeat_answer(2)).s(metadata_answer(3)).lose_s(200);
  t.s(batch(std::string(60, 'r')) + heartbeat_answer(13)).lose_s(20).s(heartbeat_answer(17)).s(metadata_answer(18)).s(heartbeat_answer(19)).lose_c(900);
  const std::string heard = t.finish();
  EXPECT_EQ(heard.find("#0"), heard.npos) << heard;
  EXPECT_NE(heard.find("#17"), heard.npos) << heard;
}

TEST(Resync, a_list_of_texts_that_comes_byte_by_byte) {
  const std::string whole = request(20, 3, 12, "geo", Out().i32(1).str("geo-positions").i32(5000).bytes());  // DeleteTopics
  Talk t;
  t.c(metadata(1)).s(metadata_answer(1)).lose_c(50);
  for (const char c : whole) t.c(std::string(1, c));
  EXPECT_NE(t.finish().find("request 20 v3 #12 @79"), std::string::npos);
}

TEST(Resync, numbers_inside_a_lost_answer_that_lead_far) {
  const std::string inside = Out().i32(0).i32(0).i32(1).i32(1).str(std::string(60, 'h')).i32(9092).i16(-1).i32(1).i32(1).i16(0).i16(100).raw(
      std::string(50, 't'));  // like the beginning of Metadata's answer to id 0
  Talk t;
  t.c(metadata(0) + metadata(1)).lose_s(50).s(std::string(13, '\xff') + far_too_long(inside)).lose_s(60).s(metadata_answer(1));
  const std::string heard = t.finish();
  EXPECT_EQ(heard.find("response 3 v1 #0"), heard.npos) << heard;
  EXPECT_NE(heard.find("response 3 v1 #1 @"), heard.npos) << heard;
}

TEST(Resync, where_the_answers_begin_is_not_known) {
  Talk t;
  t.connection.begin_missed(1);
  t.s(produce_answer(1).substr(9)).c(metadata(7)).s(metadata_answer(7));
  const std::string heard = t.finish();
  EXPECT_NE(heard.find("resync server "), heard.npos) << heard;
  EXPECT_NE(heard.find("response 3 v1 #7 @"), heard.npos) << heard;
  Talk later;  // than the requests
  later.c(metadata(7));
  later.connection.begin_missed(1);
  later.s(produce_answer(1).substr(9)).s(metadata_answer(7));
  const std::string all = later.finish();
  EXPECT_NE(all.find("response 3 v1 #7 @"), all.npos) << all;
}

TEST(Resync, a_size_that_a_request_denies) {
  Talk t;
  t.c(metadata(1) + far_too_long(metadata(2)) + metadata(3)).lose_c(20).c(metadata(4));
  const std::string heard = t.finish();
  EXPECT_NE(heard.find("request 3 v1 #3 @58\n"), heard.npos) << heard;
  EXPECT_NE(heard.find("request 3 v1 #4 @107\n"), heard.npos) << heard;
}

TEST(Resync, a_size_that_a_short_request_denies) {
  Talk t;
  t.c(metadata(1)).s(metadata_answer(1)).c(far_too_long(request(18, 0, 2, "test"))).lose_c(39).c(metadata(3) + metadata(4));
  const std::string heard = t.finish();
  EXPECT_NE(heard.find("request 3 v1 #3 @"), heard.npos) << heard;
  EXPECT_NE(heard.find("request 3 v1 #4 @"), heard.npos) << heard;
}

TEST(Resync, a_long_frame_that_is_cut_stays_one) {
  Talk t;
  t.c(produce(1, 1, 500'000).substr(0, 2000)).lose_c(produce(1, 1, 500'000).size() - 2000).c(metadata(2));
  const std::string heard = t.finish();
  EXPECT_EQ(heard.find("resync"), heard.npos) << heard;
  EXPECT_NE(heard.find("request 3 v1 #2 @"), heard.npos) << heard;
}

TEST(Resync, short_answers_count_when_others_follow) {
  Talk t;
  t.c(metadata(1)).s(metadata_answer(1)).c(metadata(2) + heartbeat(3) + heartbeat(4));
  t.lose_s(43).s(heartbeat_answer(3)).s(heartbeat_answer(4));
  EXPECT_NE(t.finish().find("resync server 0\nresponse 12 v0 #3 @86\nresponse 12 v0 #4 @96\n"), std::string::npos);
}

TEST(Resync, a_short_answer_counts_when_the_next_one_breaks_off) {
  const auto after = [](const std::string& rest) {
    Talk t;
    t.c(metadata(1)).s(metadata_answer(1)).c(metadata(2) + heartbeat(3) + heartbeat(4));
    t.lose_s(43).s(heartbeat_answer(3) + rest).lose_s(5);  // in one packet: a packet of its own would do
    return t.finish();
  };
  EXPECT_NE(after(heartbeat_answer(4).substr(0, 7)).find("response 12 v0 #3 @86\n"), std::string::npos);
  EXPECT_NE(after(heartbeat_answer(4).substr(0, 2)).find("response 12 v0 #3 @86\n"), std::string::npos);
  EXPECT_EQ(after("more").find("#3 @86"), std::string::npos);
  EXPECT_EQ(after(std::string("\0\0\0\6\0\1\0", 7)).find("#3 @86"), std::string::npos) << "another id";
}

TEST(Resync, answers_in_front_of_the_first_awaited_one) {
  Talk t;
  t.c(metadata(1)).s(metadata_answer(1)).lose_c(38).c(metadata(8));
  t.lose_s(43).s(heartbeat_answer(7)).s(metadata_answer(8));
  EXPECT_NE(t.finish().find("response unmatched #7 @86\nresponse 3 v1 #8 @96\n"), std::string::npos);
}

TEST(Resync, answers_that_come_before_their_requests_are_released) {
  Talk t;
  t.c(metadata(1)).s(metadata_answer(1)).lose_s(43).s(metadata_answer(5)).lose_c(29).c(metadata(5));
  EXPECT_NE(t.finish().find("request 3 v1 #5 @58\nresync server 0\nresponse 3 v1 #5 @86\n"), std::string::npos);
}

TEST(Resync, which_of_equal_ids_the_layout_tells) {
  Talk t;
  t.c(metadata(0)).s(metadata_answer(0)).c(metadata(0) + heartbeat(0));
  t.lose_s(43).s(heartbeat_answer(0));
  EXPECT_NE(t.finish().find("response 12 v0 #0 @86\n"), std::string::npos);
}

TEST(Resync, a_claim_that_never_comes_true_swallows_nothing) {
  // Looks like the beginning of a huge Produce request as far as it goes.
  const std::string bait = Out()
                               .i32(50'000'000)
                               .i16(0)
                               .i16(2)
                               .i32(7)
                               .str("test")
                               .i16(1)
                               .i32(1000)
                               .i32(1)
                               .str("a-topic")
                               .i32(1)
                               .i32(0)
                               .i32(49'000'000);
  Talk t;
  t.c(metadata(1)).lose_c(10).c(bait.substr(0, 40) + std::string(30, '\xff') + metadata(2) + metadata(3));
  EXPECT_NE(t.finish().find("request 3 v1 #2 @109\nrequest 3 v1 #3 @138\n"), std::string::npos);
}

TEST(Resync, zeros_are_no_requests) {
  Talk t;
  t.c(metadata(1)).lose_c(10).c(std::string(5000, '\0')).s(std::string(5000, '\0'));
  const std::string all = t.finish();
  EXPECT_EQ(all.find("request", all.find("#1")), std::string::npos) << all;
}

TEST(Resync, embedded_requests_in_a_known_body_are_not_looked_at) {
  const std::string inner = metadata(50) + metadata(51);
  const std::string outer = request(
      0, 2, 2, "test",
      Out().i16(1).i32(1000).i32(1).str("a").i32(1).i32(0).i32(static_cast<int>(inner.size())).raw(inner).bytes());
  Talk t;
  t.c(metadata(1)).lose_c(10).c(outer).c(metadata(3));
  const std::string all = t.finish();
  EXPECT_EQ(all.find("#50"), std::string::npos);
  EXPECT_NE(all.find("request 0 v2 #2 @39\nrequest 3 v1 #3"), std::string::npos);
}

TEST(Resync, a_batch_at_the_end_of_a_lost_answer_is_no_answer) {
  // Its length and leader epoch look like a size and the id 0, and it ends where the next answer begins.
  const std::string batch = Out().i64(0).i32(70).i32(0).i8(2).raw(std::string(65, '\x11'));
  Talk t;
  t.c(request(18, 3, 0, "test", Out().compact("a").compact("b").i8(0).bytes(), true)).lose_s(100);
  t.c(metadata(1)).s("the middle of it" + batch + metadata_answer(1)).c(metadata(2)).s(metadata_answer(2));
  const std::string all = t.finish();
  EXPECT_EQ(all.find("response 18"), std::string::npos) << all;
  EXPECT_NE(all.find("response 3 v1 #1 @198\n"), std::string::npos) << all;
}

TEST(Resync, requests_passed_over_are_not_looked_for) {
  Talk t;
  t.c(metadata(7) + heartbeat(8))
      .s(heartbeat_answer(8))
      .lose_s(10)
      .s(metadata_answer(7))
      .c(metadata(9))
      .s(metadata_answer(9));
  EXPECT_NE(t.finish().find("response 3 v1 #9"), std::string::npos);
}

TEST(Resync, a_huge_size_for_a_small_answer_is_not_waited_for) {
  Talk t;
  t.c(request(18, 3, 0, "test", Out().compact("a").compact("b").i8(0).bytes(), true)).lose_s(100);
  t.s(Out().i32(0x01010000).i32(0).i16(0).i8(60).raw(std::string(80, '\0')).bytes());
  t.c(metadata(1)).s(metadata_answer(1)).c(metadata(2)).s(metadata_answer(2));
  EXPECT_NE(t.finish().find("response 3 v1 #1 @191\n"), std::string::npos);
}

TEST(Resync, cut_answers_behind_a_lost_header) {
  // A snapshot length that cuts the end of every answer, and one answer lost altogether.
  Talk t;
  for (int id = 1; id <= 4; ++id) {
    t.c(metadata(id));
    if (id == 2)
      t.lose_s(43);
    else
      t.s(metadata_answer(id).substr(0, 40)).lose(1, 3, true);
  }
  const std::string all = t.finish();
  EXPECT_NE(all.find("response 3 v1 #3 @86 cut 36/39\n"), std::string::npos) << all;
  EXPECT_NE(all.find("response 3 v1 #4 @129 cut 36/39\n"), std::string::npos) << all;
}

TEST(Resync, start_in_mid_stream) {
  Talk t(false);
  t.c(produce(7, 1, 400).substr(200))
      .c(metadata(8))
      .s(produce_answer(7))
      .s(metadata_answer(8))
      .c(heartbeat(9))
      .s(heartbeat_answer(9));
  EXPECT_EQ(t.finish(),
            "client is 0\nresync client 255\nrequest 3 v1 #8 @255\nresponse unmatched #7 @0\nresponse 3 v1 #8 @47\n"
            "request 12 v0 #9 @284\nresponse 12 v0 #9 @90\n");
}

TEST(Resync, a_short_answer_at_the_edge_waits_for_no_other) {
  Talk joined(false);
  joined.c(heartbeat(7)).s(heartbeat_answer(7));
  joined.now.time_ns += 5'000'000'000;
  joined.c(heartbeat(8)).s(heartbeat_answer(8));
  EXPECT_EQ(joined.heard.all(),
            "client is 0\nrequest 12 v0 #7 @0\nresponse 12 v0 #7 @0\nrequest 12 v0 #8 @38\nresponse 12 v0 #8 @10\n");
  Talk gap;
  gap.c(metadata(1)).s(metadata_answer(1)).lose_s(43).c(heartbeat(3)).s(heartbeat_answer(3));
  EXPECT_TRUE(gap.heard.all().ends_with("resync server 0\nresponse 12 v0 #3 @86\n")) << gap.heard.all();
}

TEST(Resync, a_stream_that_looks_like_headers_all_over_takes_no_square_time) {
  // A header every 21 bytes, each claiming a long sound body.
  std::string hostile;
  for (int i = 0; i < 100'000; ++i) hostile += request(3, 1, i, "aaa", Out().i32(5).bytes());
  for (std::size_t at = 0; at + 4 <= hostile.size(); at += 21) hostile[at + 2] = '\x7f';
  Talk t;
  t.c(metadata(1)).lose_c(5);
  for (std::size_t at = 0; at < hostile.size(); at += 1400) t.c(std::string_view(hostile).substr(at, 1400));
  t.c(metadata(2) + metadata(3));
  EXPECT_NE(t.finish().find("#3 @"), std::string::npos);
}

TEST(Resync, a_frame_beyond_the_limit_is_passed_over) {
  Talk t(true, {.max_frame = 1000});
  t.c(metadata(1)).lose_c(77).c(produce(2, 1, 3000) + metadata(3));
  const std::string heard = t.finish();
  EXPECT_EQ(heard.find("#2"), std::string::npos);
  EXPECT_NE(heard.find("request 3 v1 #3"), std::string::npos) << heard;
}
