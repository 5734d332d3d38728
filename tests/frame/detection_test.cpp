// SPDX-License-Identifier: MIT
// Kafka or not, and who is the client.
#include <gtest/gtest.h>

#include "kparse/detect.h"
#include "support.h"

using namespace kparse;
using namespace kparse::test;

namespace {

Bytes view(std::string_view s) { return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()}; }
std::string_view foreign(std::string_view s) { return name_foreign(view(s)).what; }

}  // namespace

TEST(Detection, names_of_other_protocols) {
  using namespace std::string_view_literals;
  EXPECT_EQ(foreign("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"sv), "TLS");
  EXPECT_EQ(foreign("\x15\x03\x03\x00\x02\x02\x50"sv), "TLS");
  EXPECT_EQ(foreign("\x17\x03\x03\x01\x00zzzz"sv), "TLS");
  EXPECT_EQ(foreign("GET / HTTP/1.1\r\n"), "HTTP");
  EXPECT_EQ(foreign("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "HTTP");
  EXPECT_EQ(foreign("SSH-2.0-OpenSSH_9.2"), "SSH");
  EXPECT_EQ(foreign("220 mail.example ESMTP"), "SMTP");
  EXPECT_EQ(foreign("EHLO there\r\n"), "SMTP");
  EXPECT_EQ(foreign("*1\r\n$4\r\nPING\r\n"), "Redis");
  EXPECT_EQ(foreign("AMQP\0\0\x09\x01"sv), "AMQP");
  EXPECT_EQ(foreign(Out().i32(45).i32(0).i64(0).i32(18000).i64(0).i32(16).raw(std::string(17, '\0')).bytes()),
            "ZooKeeper");
  EXPECT_EQ(foreign(Out().i32(37).i32(0).i32(18000).i64(7).i32(16).raw(std::string(17, 'x')).bytes()), "ZooKeeper");
  EXPECT_EQ(foreign(Out().i32(8).i32(80877103).bytes()), "PostgreSQL");
  EXPECT_EQ(foreign(Out().i32(33).i32(0x30000).raw("user\0me\0database\0d\0\0"sv).bytes()), "PostgreSQL");
  EXPECT_EQ(foreign("J\0\0\0\x0a"
                    "8.0.36\0"sv),
            "MySQL");
  EXPECT_EQ(foreign("\x3a\0\0\0\x01\0\0\0\0\0\0\0\xd4\x07\0\0\0\0\0\0"
                    "admin.$cmd\0"sv),
            "MongoDB");
  EXPECT_EQ(foreign("\0\x1d\x12\x34\x01\0\0\x01\0\0\0\0\0\0\7example\3com\0\0\1\0\1"sv), "DNS");
  EXPECT_EQ(foreign(metadata(1)), "");
  EXPECT_EQ(foreign(metadata_answer(1)), "");
  EXPECT_EQ(foreign(request(18, 3, 0, "test", Out().compact("a").compact("b").i8(0).bytes(), true)), "");
  EXPECT_EQ(foreign(""), "");
}

TEST(Detection, a_foreign_client_is_named_once) {
  Talk t;
  t.c("GET / HTTP/1.1\r\n").c("Host: broker\r\n\r\n").s("HTTP/1.1 400 Bad Request\r\n\r\n");
  EXPECT_EQ(t.finish(), "client is 0\nother client HTTP\n");
  EXPECT_EQ(t.heard.odd, "client @0 first GET / HTTP/1.1\r\n\nserver @0 first HTTP/1.1 400 Bad Request\r\n\r\n\n");
}

TEST(Detection, a_server_that_speaks_first) {
  Talk t;
  t.s("220 mail.example ESMTP\r\n").c("EHLO me\r\n");
  EXPECT_EQ(t.finish(), "client is 0\nother server SMTP\n");
}

TEST(Detection, zookeeper_frames_are_not_kafka) {
  const std::string connect = Out().i32(45).i32(0).i64(0).i32(18000).i64(0).i32(16).raw(std::string(17, '\0'));
  const std::string connected = Out().i32(37).i32(0).i32(18000).i64(7).i32(16).raw(std::string(17, 'x'));
  const std::string get = Out().i32(14).i32(1).i32(4).i32(1).raw("/").i8(0);
  for (const bool syn : {true, false}) {
    Talk t(syn);
    t.c(connect).s(connected).c(get).s(Out().i32(20).i32(1).i64(5).i32(0).i32(0).bytes());
    const std::string all = t.finish();
    EXPECT_NE(all.find("ZooKeeper\n"), std::string::npos) << all;
    EXPECT_EQ(all.find("request"), std::string::npos) << all;
  }
}

TEST(Detection, bytes_of_unknown_kind) {
  Talk t;
  t.c(std::string(64, '\0'));
  EXPECT_EQ(t.finish(), "client is 0\nother client unknown\n");
}

TEST(Detection, nothing_is_said_of_a_silent_connection) {
  Talk t;
  EXPECT_EQ(t.end(0).end(1).finish(), "");
}

TEST(Detection, bad_requests_of_a_kafka_client) {
  for (const std::string& bad :
       {request(999, 0, 7, "hi"), request(-1, 0, 7, "hi"), request(3, 99, 8, "hi"),
        request(3, 1, 10, "hi", "\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f"), request(18, 0, 11, "hi", "trailing")}) {
    Talk t;
    t.c(bad).end(1).end(0);
    const std::string all = t.finish();
    EXPECT_NE(all.find("request "), std::string::npos) << all;
  }
  Talk null_client;
  null_client.c(request(18, 0, 12, nullptr));
  EXPECT_NE(null_client.finish().find("request 18 v0 #12"), std::string::npos);
}

TEST(Detection, sizes_no_broker_takes) {
  for (const std::int64_t size : {0ll, -1ll, 0x7fffffffll, 104857601ll}) {
    Talk t;
    t.c(Out().i32(size).raw(std::string(40, '\0')).bytes()).end(1);
    EXPECT_EQ(t.finish(), "client is 0\nother client unknown\n") << size;
  }
}

/// Brokers refuse it, but it is a request.
TEST(Detection, a_first_request_beyond_what_brokers_take) {
  const std::string whole = produce(7, 1, 2000);
  Talk t;
  t.c(std::string("\x07\0\0\0", 4) + whole.substr(4, 300)).end(1);
  const std::string heard = t.finish();
  EXPECT_NE(heard.find("request 0 v2 #7 @0 "), heard.npos) << heard;
}

TEST(Detection, one_byte_a_packet) {
  Talk t;
  for (const char c : metadata(1)) t.c(std::string_view(&c, 1));
  EXPECT_EQ(t.finish(), "client is 0\nrequest 3 v1 #1 @0\nunanswered 0\n");
}

/// The first five bytes look like a handshake of TLS, the sixth says that it is none.
TEST(Detection, a_record_of_tls_is_judged_by_what_it_holds) {
  const std::string bytes("\x16\x03\x01\0\xb9\xff\xff\xff\x01\0", 10);
  Talk whole, pieces;
  whole.c(bytes);
  for (const char c : bytes) pieces.c(std::string_view(&c, 1));
  const std::string heard = whole.finish();
  EXPECT_NE(heard.find("unknown"), heard.npos) << heard;
  EXPECT_EQ(pieces.finish(), heard);
}

/// What stands deep in a stream of unknown bytes may look like the beginning of anything.
TEST(Detection, only_the_beginning_of_a_stream_names_a_protocol) {
  Talk t;
  t.c(std::string(200'000, 'x')).c("RTSP/1.0 200 OK\r\n").c(std::string(100, 'x'));
  EXPECT_EQ(t.finish(), "client is 0\nother client unknown\n");
}

TEST(Detection, nothing_comes_after_the_end) {
  const std::string bytes("\0\0\2\0\0\x39\0\0\0\2\0\0\x3c\0\0\2", 16);
  Talk whole, pieces;
  whole.end(0).c(bytes);
  pieces.end(0);
  for (const char c : bytes) pieces.c(std::string_view(&c, 1));
  const std::string heard = whole.finish();
  EXPECT_EQ(heard, "");
  EXPECT_EQ(pieces.finish(), heard);
}

TEST(Detection, the_first_request_is_lost) {
  Talk t;
  t.lose_c(60).s(metadata_answer(1)).c(metadata(2)).s(metadata_answer(2));
  EXPECT_EQ(t.finish(),
            "client is 0\ngap client @0 60\nresync client 0\nresponse unmatched #1 @0\nrequest 3 v1 #2 @60\nresponse 3 "
            "v1 #2 @43\n");
}

TEST(Detection, a_request_where_the_sizes_of_damaged_ones_lead) {
  Talk t;
  t.c(metadata(1).substr(0, 7)).lose_c(22).c(heartbeat(2).substr(0, 14)).lose_c(100);
  const std::string all = t.finish();
  EXPECT_NE(all.find("request 12 v0 #2 partial-header @29 lost 10/34"), std::string::npos) << all;
}

TEST(Detection, all_requests_are_lost) {
  Talk t;
  t.lose_c(60).s(metadata_answer(1)).lose_c(60).s(heartbeat_answer(2)).lose_c(60).s(heartbeat_answer(3));
  const std::string all = t.finish();
  EXPECT_NE(all.find("response unmatched #1 @0\nresponse unmatched #2 @43\nresponse unmatched #3 @53\n"),
            std::string::npos)
      << all;
}

TEST(Detection, all_requests_are_lost_and_the_ids_jump) {
  Talk t;
  t.lose_c(60)
      .s(metadata_answer(1))
      .lose_c(60)
      .s(heartbeat_answer(900))
      .s(metadata_answer(0x7ffffff8))
      .s(metadata_answer(3).substr(0, 20));
  t.lose(1, 27, true);
  const std::string all = t.finish();
  EXPECT_NE(all.find("unmatched #900 @43\nresponse unmatched #2147483640 @53\n"), std::string::npos) << all;
  EXPECT_NE(all.find("unmatched #3 @96 cut 16/39\n"), std::string::npos) << all;
}

TEST(Detection, headers_between_cuts_are_enough) {
  // Of every answer only the first bytes were recorded, of the client nothing.
  Talk t;
  t.lose_c(90);
  for (int id = 1; id < 4; ++id) t.s(metadata_answer(id).substr(0, 10)).lose(1, 33, true);
  EXPECT_NE(t.finish().find("response unmatched #3 @86 cut 6/39\n"), std::string::npos);
}

TEST(Detection, all_requests_are_lost_and_few_answers_are_left) {
  Talk two, whole, damaged;
  two.lose_c(120).s(metadata_answer(7)).s(heartbeat_answer(8).substr(0, 12));
  EXPECT_NE(two.finish().find("unmatched #7 @0\nresponse unmatched #8 @43"), std::string::npos);
  whole.lose_c(60).s(heartbeat_answer(0));
  EXPECT_NE(whole.finish().find("response unmatched #0 @0\n"), std::string::npos);
  damaged.lose_c(60).s(metadata_answer(3).substr(0, 12));
  damaged.lose(1, 31);
  EXPECT_NE(damaged.finish().find("response unmatched #3 @0 lost 8/39\n"), std::string::npos);
  // Packets are lost whole: a frame that ends where the loss begins ended with its packet.
  Talk packet, sasl, jump;
  packet.lose_c(60).s(metadata_answer(1).substr(0, 20)).lose(1, 23, true).lose(1, 50).s(metadata_answer(7).substr(5));
  EXPECT_NE(packet.finish().find("response unmatched #1 @0 cut 16/39\n"), std::string::npos);
  sasl.lose_c(60).s(metadata_answer(0x7ffffff8).substr(0, 14)).lose(1, 7).s(metadata_answer(1).substr(21, 7));
  EXPECT_NE(sasl.finish().find("response unmatched #2147483640 @0 lost"), std::string::npos);
  Talk size;
  size.lose_c(120).s(metadata_answer(0).substr(0, 7)).lose(1, 36).s(metadata_answer(1).substr(0, 14)).lose(1, 7).s("1234567");
  EXPECT_NE(size.finish().find("response unmatched #1 @43 lost"), std::string::npos);
  jump.lose_c(120).s(metadata_answer(8)).s(heartbeat_answer(7).substr(0, 12));
  EXPECT_NE(jump.finish().find("unmatched #8 @0\nresponse unmatched #7 @43"), std::string::npos);
}

TEST(Detection, all_requests_are_lost_and_chance_may_do_it) {
  const std::string json = "{\"id\":1,\"name\":\"x\"}";
  const std::string prefixed{std::string("\0\0\0", 3) + static_cast<char>(json.size()) + json};
  Talk text, longer, jump, silent;
  text.lose_c(60).s(prefixed);
  longer.lose_c(60).s(heartbeat_answer(0) + "more");
  jump.lose_c(120).s(metadata_answer(7)).s(heartbeat_answer(1000).substr(0, 12));
  silent.s(heartbeat_answer(0));
  for (Talk* t : {&text, &longer, &jump, &silent}) {
    const std::string all = t->finish();
    EXPECT_NE(all.find("unknown"), std::string::npos) << all;
    EXPECT_EQ(all.find("response"), std::string::npos) << all;
  }
}

TEST(Detection, a_client_id_with_control_characters) {
  const char* const odd = "billing\x01\tz";
  Talk t;
  t.c(heartbeat(1, odd)).s(heartbeat_answer(1)).c(heartbeat(2, odd)).s(heartbeat_answer(2));
  EXPECT_NE(t.finish().find("request 12 v0 #1 @0\nresponse 12 v0 #1 @0\nrequest 12 v0 #2 @"), std::string::npos);

  // The body doesn't fit, or the id is hardly text.
  Talk surplus, bytes;
  std::string more = heartbeat(1, odd) + "12";
  more[3] = static_cast<char>(more[3] + 2);
  surplus.c(more);
  bytes.c(heartbeat(1, "\x01\x02\x03z"));
  for (Talk* other : {&surplus, &bytes}) EXPECT_EQ(other->finish().find("request"), std::string::npos);
}

TEST(Detection, junk_before_the_first_request) {
  Talk t;
  t.c(std::string("\x7f\xff\xff\xff", 4) + std::string(40, '\0')).c(metadata(2)).c(metadata(3));
  EXPECT_EQ(t.finish(),
            "client is 0\nresync client 44\nrequest 3 v1 #2 @44\nrequest 3 v1 #3 @73\nunanswered 0\nunanswered 1\n");
}

TEST(Detection, foreign_bytes_after_kafka) {
  Talk t;
  t.c(metadata(1)).s(metadata_answer(1)).c("GET / HTTP/1.1\r\n\r\n");
  EXPECT_EQ(t.finish(), "client is 0\nrequest 3 v1 #1 @0\nresponse 3 v1 #1 @0\nother client HTTP\n");
  EXPECT_EQ(t.heard.odd, "client @" + std::to_string(metadata(1).size()) + " kafka GET / HTTP/1.1\r\n\r\n\n");
}

TEST(Detection, a_plain_client_on_a_tls_port) {
  Talk t;
  t.c(metadata(1)).s(std::string("\x15\x03\x03\x00\x02\x02\x50", 7));
  EXPECT_EQ(t.finish(), "client is 0\nrequest 3 v1 #1 @0\nother server TLS\nunanswered 0\n");
}

TEST(Detection, trusted_ports_need_no_proof) {
  Talk t(true, {.trust_port = true});
  t.s(metadata_answer(5));
  EXPECT_EQ(t.finish(), "client is 0\nresponse unmatched #5 @0\n");
}

TEST(Detection, proxy_headers) {
  Talk one;
  one.c("PROXY TCP4 10.1.2.3 10.0.0.1 51000 9092\r\n").c(metadata(1)).s(metadata_answer(1));
  EXPECT_EQ(one.finish(), "client is 0\nproxied 10.1.2.3:51000\nrequest 3 v1 #1 @41\nresponse 3 v1 #1 @0\n");

  const std::string v2 = Out()
                             .raw(std::string_view("\r\n\r\n\0\r\nQUIT\n", 12))
                             .i8(0x21)
                             .i8(0x21)
                             .i16(36)
                             .i64(0x20010db800000000)
                             .i64(5)
                             .i64(0)
                             .i64(1)
                             .i16(51000)
                             .i16(9092);
  Talk two;
  two.c(v2.substr(0, 20)).c(v2.substr(20) + metadata(1));
  EXPECT_EQ(two.finish(), "client is 0\nproxied [2001:db8::5]:51000\nrequest 3 v1 #1 @52\nunanswered 0\n");

  Talk unknown;
  unknown.c("PROXY UNKNOWN\r\n" + metadata(1));
  EXPECT_EQ(unknown.finish(), "client is 0\nrequest 3 v1 #1 @15\nunanswered 0\n");
}

TEST(Orientation, requests_tell_the_client) {
  Talk t(false);  // the higher port is direction 0, and it is the server
  t.send(1, metadata(1)).send(0, metadata_answer(1)).send(1, heartbeat(2)).send(0, heartbeat_answer(2));
  EXPECT_EQ(t.finish(),
            "client is 1\nrequest 3 v1 #1 @0\nresponse 3 v1 #1 @0\nrequest 12 v0 #2 @29\nresponse 12 v0 #2 @43\n");
}

TEST(Orientation, an_answer_that_decodes_as_a_request) {
  // An InitProducerId v4 answer with id 4 is a Produce v4 request to its last byte.
  const std::string answer = response(4, Out().i8(0).i32(0).i16(0).i64(1000).i16(0).i8(0).bytes());
  ASSERT_EQ(answer.size(), 4u + 22u);
  Talk t(false);
  t.send(0, answer).send(1, metadata(5)).send(0, metadata_answer(5));
  const std::string all = t.finish();
  EXPECT_NE(all.find("client is 1\n"), std::string::npos) << all;
  EXPECT_EQ(all.find("request 0"), std::string::npos) << all;
}

TEST(Orientation, answers_alone_that_decode_as_requests_with_a_client_id) {
  // Answers to Produce with ids 2 and 3 are Produce v2 and v3 requests of the client "a-topic-name", to the last byte.
  const auto answer = [](int id) {
    return response(id, Out().i32(1).str("a-topic-name").i32(1).i32(0).i16(0).i64(0).bytes());
  };
  Talk t(false);
  t.send(1, answer(2)).send(1, answer(3)).end(1);
  EXPECT_EQ(t.finish(), "client is 0\nresponse unmatched #2 @0\nresponse unmatched #3 @44\n");
}

TEST(Orientation, the_syn_wins) {
  const std::string answer = response(4, Out().i8(0).i32(0).i16(0).i64(1000).i16(0).i8(0).bytes());
  Talk t;
  t.c(request(22, 4, 4, "test", Out().i8(0).i32(1000).i64(-1).i16(-1).i8(0).bytes(), true)).s(answer);
  EXPECT_EQ(t.finish(), "client is 0\nrequest 22 v4 #4 @0\nresponse 22 v4 #4 @0\n");
}

TEST(Orientation, only_answers_were_captured) {
  Talk t(false);
  for (int id = 1; id < 6; ++id) t.send(0, id % 2 ? metadata_answer(id) : heartbeat_answer(id));
  const std::string all = t.finish();
  EXPECT_EQ(all.substr(0, 39), "client is 1\nresponse unmatched #1 @0\nre") << all;
  EXPECT_NE(all.find("#5 @106"), std::string::npos) << all;
}

TEST(Orientation, answers_of_known_kind_are_guessed) {
  Talk t;
  t.lose_c(10).s(response(1, Out().i16(0).i32(2).i16(0).i16(0).i16(9).i16(18).i16(0).i16(3).bytes()));
  t.s(heartbeat_answer(2)).s(heartbeat_answer(3));
  (void)t.finish();
  EXPECT_EQ(t.heard.guesses, (std::vector<int>{18, -1, -1}));
}
