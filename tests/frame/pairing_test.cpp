// SPDX-License-Identifier: MIT
// Which request a response answers. The rules are PROTOCOL's: order, confirmed by the correlation id.
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "support.h"

using namespace kparse;
using namespace kparse::test;

TEST(Pairing, in_order) {
  Talk t;
  t.c(metadata(1)).s(metadata_answer(1)).c(heartbeat(2) + metadata(3)).s(heartbeat_answer(2) + metadata_answer(3));
  EXPECT_EQ(t.finish(),
            "client is 0\nrequest 3 v1 #1 @0\nresponse 3 v1 #1 @0\nrequest 12 v0 #2 @29\nrequest 3 v1 #3 @67\n"
            "response 12 v0 #2 @43\nresponse 3 v1 #3 @53\n");
  EXPECT_EQ(t.heard.latencies, (std::vector<std::int64_t>{1'000'000, 1'000'000, 1'000'000}));
}

TEST(Pairing, produce_with_acks_0_waits_for_nothing) {
  Talk t;
  t.c(produce(1, 0)).c(metadata(2)).s(metadata_answer(2));
  EXPECT_EQ(t.finish(), "client is 0\nrequest 0 v2 #1 silent @0\nrequest 3 v1 #2 @75\nresponse 3 v1 #2 @0\n");
}

TEST(Pairing, acks_0_of_flexible_and_transactional_versions) {
  const std::string v3 = request(0, 3, 1, "test", Out().str("txn").i16(0).i32(1000).i32(0).bytes());
  const std::string v9 = request(0, 9, 2, "test", Out().compact("txn").i16(0).i32(1000).i8(1).i8(0).bytes(), true);
  const std::string v9_all = request(0, 9, 3, "test", Out().i8(0).i16(-1).i32(1000).i8(1).i8(0).bytes(), true);
  Talk t;
  t.c(v3 + v9 + v9_all);
  EXPECT_EQ(t.finish(),
            "client is 0\nrequest 0 v3 #1 silent @0\nrequest 0 v9 #2 silent @33\nrequest 0 v9 #3 @64\nunanswered 2\n");
}

TEST(Pairing, a_mock_broker_that_answers_acks_0) {
  Talk t;
  t.c(produce(1, 0)).s(produce_answer(1)).c(metadata(2)).s(metadata_answer(2));
  EXPECT_EQ(t.finish(),
            "client is 0\nrequest 0 v2 #1 silent @0\nresponse 0 v2 #1 @0\nrequest 3 v1 #2 @75\nresponse 3 v1 #2 @47\n");
}

TEST(Pairing, kafka_0_9_skips_what_it_does_not_know) {
  Talk t;
  t.c(request(18, 0, 1, "test")).c(metadata(2)).s(metadata_answer(2)).c(heartbeat(3)).s(heartbeat_answer(3));
  EXPECT_EQ(t.finish(),
            "client is 0\nrequest 18 v0 #1 @0\nrequest 3 v1 #2 @18\nresponse 3 v1 #2 @0\nrequest 12 v0 #3 @47\n"
            "response 12 v0 #3 @43\nunanswered 0\n");
}

TEST(Pairing, a_request_passed_over_is_given_up_long_before_the_end) {
  Talk t;
  t.c(metadata(1));
  for (int id = 2; id < 40; ++id) t.c(heartbeat(id)).s(heartbeat_answer(id));
  EXPECT_NE(t.heard.all().find("unanswered 0\n"), std::string::npos);
}

TEST(Pairing, answers_out_of_order) {
  Talk t;
  t.c(metadata(1) + heartbeat(2)).s(heartbeat_answer(2)).s(metadata_answer(1));
  EXPECT_EQ(t.finish(),
            "client is 0\nrequest 3 v1 #1 @0\nrequest 12 v0 #2 @29\nresponse 12 v0 #2 @0\nresponse 3 v1 #1 @10\n");
}

TEST(Pairing, one_id_for_all_requests) {
  Talk t;
  t.c(metadata(0) + heartbeat(0) + produce(0, 0) + metadata(0));
  t.s(metadata_answer(0)).s(heartbeat_answer(0)).s(metadata_answer(0));
  EXPECT_EQ(t.finish(),
            "client is 0\nrequest 3 v1 #0 @0\nrequest 12 v0 #0 @29\nrequest 0 v2 #0 silent @67\nrequest 3 v1 #0 @142\n"
            "response 3 v1 #0 @0\nresponse 12 v0 #0 @43\nresponse 3 v1 #0 @53\n");
}

TEST(Pairing, ids_that_go_backwards_and_come_twice) {
  Talk t;
  t.c(metadata(0x7ffffff8)).s(metadata_answer(0x7ffffff8)).c(metadata(2)).s(metadata_answer(2)).c(metadata(0));
  t.s(metadata_answer(0)).c(heartbeat(0x7ffffff8)).s(heartbeat_answer(0x7ffffff8));
  EXPECT_EQ(
      t.finish(),
      "client is 0\nrequest 3 v1 #2147483640 @0\nresponse 3 v1 #2147483640 @0\nrequest 3 v1 #2 @29\nresponse 3 v1 #2 "
      "@43\n"
      "request 3 v1 #0 @58\nresponse 3 v1 #0 @86\nrequest 12 v0 #2147483640 @87\nresponse 12 v0 #2147483640 @129\n");
}

TEST(Pairing, a_stray_answer_stays_unmatched) {
  Talk t;
  t.c(metadata(100)).s(metadata_answer(7)).s(metadata_answer(100));
  EXPECT_EQ(t.finish(), "client is 0\nrequest 3 v1 #100 @0\nresponse unmatched #7 @0\nresponse 3 v1 #100 @43\n");
}

TEST(Pairing, an_answer_recorded_before_its_request) {
  Talk t;
  t.c(metadata(1)).s(metadata_answer(1)).s(heartbeat_answer(2)).c(heartbeat(2));
  EXPECT_EQ(t.finish(),
            "client is 0\nrequest 3 v1 #1 @0\nresponse 3 v1 #1 @0\nrequest 12 v0 #2 @29\nresponse 12 v0 #2 @43\n");
  EXPECT_EQ(t.heard.latencies.back(), -1'000'000);
  EXPECT_EQ(t.heard.timed, (std::vector<bool>{true, false}));
}

TEST(Pairing, two_answers_recorded_before_their_requests) {
  Talk t;
  t.c(metadata(1)).s(metadata_answer(1)).s(heartbeat_answer(2) + heartbeat_answer(3)).c(heartbeat(2) + heartbeat(3));
  EXPECT_EQ(t.finish(),
            "client is 0\nrequest 3 v1 #1 @0\nresponse 3 v1 #1 @0\nrequest 12 v0 #2 @29\nresponse 12 v0 #2 @43\n"
            "request 12 v0 #3 @67\nresponse 12 v0 #3 @53\n");
}

TEST(Pairing, an_answer_whose_request_never_comes_goes_before_the_next_request) {
  Talk t;
  t.c(metadata(1)).s(metadata_answer(1)).s(heartbeat_answer(9)).c(heartbeat(20));
  EXPECT_EQ(t.finish(),
            "client is 0\nrequest 3 v1 #1 @0\nresponse 3 v1 #1 @0\nresponse unmatched #9 @43\nrequest 12 v0 #20 "
            "@29\nunanswered 1\n");
}

TEST(Pairing, an_answer_waits_a_minute_at_most) {
  Talk t;
  t.c(metadata(1)).s(metadata_answer(1)).s(heartbeat_answer(9));
  t.now.time_ns += 59'000'000'000;
  t.s(std::string(1, 0));
  EXPECT_EQ(t.heard.all().find("unmatched #9"), std::string::npos);
  t.now.time_ns += 2'000'000'000;
  t.s(std::string(1, 0));
  EXPECT_NE(t.heard.all().find("unmatched #9"), std::string::npos);
}

TEST(Pairing, requests_that_are_late_together_find_their_answers) {
  Talk t;
  t.c(metadata(1)).s(metadata_answer(1)).s(heartbeat_answer(3) + heartbeat_answer(4));
  t.c(heartbeat(2)).c(heartbeat(3) + heartbeat(4));
  const std::string heard = t.finish();
  EXPECT_NE(heard.find("response 12 v0 #3"), heard.npos) << heard;
  EXPECT_NE(heard.find("response 12 v0 #4"), heard.npos) << heard;
  EXPECT_NE(heard.find("unanswered 1"), heard.npos) << heard;
}

TEST(Pairing, an_answer_whose_id_is_damaged_is_the_one_that_is_due) {
  Talk t;  // a client that uses one id for all: the next answer must not take its place
  t.c(metadata(0)).s(metadata_answer(0)).c(heartbeat(0)).s(heartbeat_answer(0).substr(0, 7)).lose_s(3);
  t.c(metadata(0)).s(metadata_answer(0));
  const std::string heard = t.finish();
  EXPECT_NE(heard.find("response 12 v0"), heard.npos) << heard;
  EXPECT_NE(heard.find("response 3 v1 #0 @53\n"), heard.npos) << heard;
}

TEST(Pairing, a_request_that_is_sent_again_after_seconds_finds_its_answer) {
  Talk t;
  t.c(metadata(1)).s(metadata_answer(1)).s(heartbeat_answer(2));
  t.now.time_ns += 3'000'000'000;
  t.c(heartbeat(2)).s(heartbeat_answer(3)).c(heartbeat(3));
  EXPECT_NE(t.finish().find("request 12 v0 #2 @29\nresponse 12 v0 #2 @43\nrequest 12 v0 #3 @67\nresponse 12 v0 #3 @53\n"),
            std::string::npos);
}

TEST(Pairing, the_table_is_bounded) {
  ConnectionOptions o;
  o.max_pending = 3;
  Talk t(true, o);
  for (int id = 1; id <= 5; ++id) t.c(metadata(id));
  t.s(metadata_answer(4));
  EXPECT_EQ(
      t.finish(),
      "client is 0\nrequest 3 v1 #1 @0\nrequest 3 v1 #2 @29\nrequest 3 v1 #3 @58\nrequest 3 v1 #4 @87\nunanswered 0\n"
      "request 3 v1 #5 @116\nunanswered 1\nresponse 3 v1 #4 @0\nunanswered 2\nunanswered 4\n");
}

TEST(Pairing, api_versions_fallback) {
  const std::string software = Out().compact("lib").compact("1.0").i8(0);
  Talk t;
  // Since 2.4: error 35 and the range of key 18 only, in layout 0. Before: an empty array.
  t.c(request(18, 4, 1, "test", software, true)).s(response(1, Out().i16(35).i32(1).i16(18).i16(0).i16(3).bytes()));
  t.c(request(18, 99, 2, "test", software, true)).s(response(2, Out().i16(35).i32(0).bytes()));
  t.c(request(18, 3, 3, "test", software, true));
  // In its own layout with the same error.
  t.s(response(3, Out().i16(35).i8(2).i16(18).i16(0).i16(3).i8(0).i32(0).i8(0).bytes()));
  EXPECT_EQ(
      t.finish(),
      "client is 0\nrequest 18 v4 #1 @0\nresponse 18 v0 #1 @0\nrequest 18 v99 #2 unknown @28\nresponse 18 v0 #2 @20\n"
      "request 18 v3 #3 @56\nresponse 18 v3 #3 @34\n");
}

TEST(Pairing, api_versions_fallback_of_a_mock_broker) {
  // As librdkafka's writes it: the count is neither an int32 nor one too many, and the element has no tags. Read by the
  // version asked for it would have a throttle time of 1,179,648 ms and bytes left over, whatever their number.
  for (const char* rest : {"", "\1", "\1\2\3\4", "\1\2\3\4\5"}) {
    Talk t;
    t.c(request(18, 3, 1, "test", Out().compact("lib").compact("1.0").i8(0).bytes(), true));
    t.s(response(1, Out().i16(35).i8(1).i16(18).i16(0).i8(0).raw("\2").raw(rest).bytes()));
    EXPECT_EQ(t.finish(), "client is 0\nrequest 18 v3 #1 @0\nresponse 18 v0 #1 @0\n");
  }
}

TEST(Pairing, keys_and_versions_newer_than_the_tables) {
  Talk t;
  t.c(metadata(1)).s(metadata_answer(1)).c(request(999, 0, 2, "test", "abc")).s(response(2, "xyz"));
  t.c(request(3, 99, 3, "test", Out().i8(0).raw("abc").bytes())).s(response(3, Out().i8(0).raw("xyz").bytes()));
  EXPECT_EQ(
      t.finish(),
      "client is 0\nrequest 3 v1 #1 @0\nresponse 3 v1 #1 @0\nrequest 999 v0 #2 unknown @29\nresponse 999 v0 #2 @43\n"
      "request 3 v99 #3 unknown @50\nresponse 3 v99 #3 @54\n");
}

TEST(Pairing, controlled_shutdown_v0_has_no_client_id) {
  Talk t;
  t.c(metadata(1))
      .c(frame(Out().i16(7).i16(0).i32(5).i32(1).bytes()))
      .s(metadata_answer(1))
      .s(response(5, Out().i16(0).i32(0).bytes()));
  EXPECT_EQ(t.finish(),
            "client is 0\nrequest 3 v1 #1 @0\nrequest 7 v0 #5 @29\nresponse 3 v1 #1 @0\nresponse 7 v0 #5 @43\n");
}

TEST(Pairing, whether_the_client_id_is_that_of_the_request_before) {
  Talk t;
  const std::string whole = request(12, 4, 9, "other", Out().compact("group").i32(1).compact("me").i8(0).i8(0).bytes(), true);
  constexpr std::size_t seen = 4 + 8 + 2 + 5;  // the header's tags aren't
  t.c(metadata(1, "a") + metadata(2, "a") + metadata(3, nullptr) + metadata(4, nullptr) + metadata(5, "a") + metadata(6, "") +
      metadata(7, "") + metadata(8, "other"));
  t.c(whole.substr(0, seen)).lose(0, whole.size() - seen, true).c(metadata(10, "other") + metadata(11, "other"));
  (void)t.finish();
  EXPECT_EQ(t.heard.same_client,
            (std::vector<bool>{false, true, false, true, false, false, true, false, true, false, true}));
}

TEST(Pairing, an_answer_knows_the_packets_of_its_request) {
  // Some requests come in one packet, others in several; answers come in turn and out of it, so that what is kept of them
  // is let go of and used again.
  using Asked = std::array<Stamp, 3>;  // first, last, completed
  struct Both : ConnectionHandler {
    std::map<std::int32_t, Asked> asked, told;
    void on_request(const Request& r) override {
      asked[r.correlation_id] = {r.frame.first, r.frame.last, r.frame.completed};
    }
    void on_response(const Response& r) override {
      told[r.correlation_id] = {r.request_first, r.request_last, r.request_completed};
    }
  } heard;
  Connection connection({}, heard);
  connection.syn_from(0);
  std::uint64_t offset[2] = {};
  Stamp now;
  const auto send = [&](int direction, std::string_view s, bool late = false) {
    ++now.packet, now.time_ns += 1000, now.file = static_cast<std::uint32_t>(now.packet / 50);
    Stamp carried = now;
    if (late) --carried.packet;
    connection.data(direction, offset[direction], {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()}, carried, now);
    offset[direction] += s.size();
  };
  constexpr int count = 200;
  for (int id = 1; id <= count; ++id) {
    const std::string whole = metadata(id);
    const std::size_t cut = id % 3 == 0 ? 10 : id % 3 == 1 ? whole.size() : 0;
    if (cut > 0) send(0, whole.substr(0, cut));
    if (cut < whole.size()) send(0, whole.substr(cut), id % 2 == 0);
    if (id % 20 == 0)
      for (const int back : {3, 0, 2, 1}) send(1, metadata_answer(id - 4 * back));
  }
  ASSERT_EQ(heard.told.size(), count / 5);
  for (const auto& [id, told] : heard.told) EXPECT_EQ(told, heard.asked[id]) << id;
}
