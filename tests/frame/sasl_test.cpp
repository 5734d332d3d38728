// SPDX-License-Identifier: MIT
// Raw SASL tokens. Facts: KIP-43, and the brokers from 0.9 to 4.x.
#include <gtest/gtest.h>

#include "support.h"

using namespace kparse;
using namespace kparse::test;

namespace {

std::string handshake(int version, std::int32_t id, const char* mechanism) {
  return request(17, version, id, "test", Out().str(mechanism).bytes());
}
std::string handshake_answer(std::int32_t id, int error) {
  return response(id, Out().i16(error).i32(1).str("PLAIN").bytes());
}
const std::string plain("\0alice\0alice-secret", 19);

}  // namespace

TEST(Sasl, plain_after_handshake_v0) {
  Talk t;
  t.c(handshake(0, -1, "PLAIN"))
      .s(handshake_answer(-1, 0))
      .c(frame(plain))
      .s(frame(""))
      .c(metadata(0))
      .s(metadata_answer(0));
  EXPECT_EQ(t.finish(),
            "client is 0\nrequest 17 v0 #-1 @0\nresponse 17 v0 #-1 @0\nsasl client PLAIN size 19 @25\nsasl server "
            "PLAIN size 0 @21\n"
            "request 3 v1 #0 @48\nresponse 3 v1 #0 @25\n");
}

TEST(Sasl, scram_takes_two_rounds) {
  Talk t;
  t.c(handshake(0, 1, "SCRAM-SHA-256"))
      .s(handshake_answer(1, 0))
      .c(frame("n,,n=alice,r=abc"))
      .s(frame("r=abcdef,s=c2FsdA==,i=4096"));
  t.c(frame("c=biws,r=abcdef,p=cHJvb2Y=")).s(frame("v=c2ln")).c(metadata(2)).s(metadata_answer(2));
  const std::string all = t.finish();
  EXPECT_EQ(all,
            "client is 0\nrequest 17 v0 #1 @0\nresponse 17 v0 #1 @0\nsasl client SCRAM-SHA-256 size 16 @33\n"
            "sasl server SCRAM-SHA-256 size 26 @21\nsasl client SCRAM-SHA-256 size 26 @53\nsasl server SCRAM-SHA-256 "
            "size 6 @51\n"
            "request 3 v1 #2 @83\nresponse 3 v1 #2 @61\n");
}

TEST(Sasl, a_refused_mechanism_changes_nothing) {
  Talk t;
  t.c(handshake(0, 1, "X")).s(handshake_answer(1, 33)).c(metadata(2)).s(metadata_answer(2));
  EXPECT_EQ(t.finish(),
            "client is 0\nrequest 17 v0 #1 @0\nresponse 17 v0 #1 @0\nrequest 3 v1 #2 @21\nresponse 3 v1 #2 @21\n");
}

TEST(Sasl, the_broker_closes_on_a_wrong_password) {
  Talk t;
  t.c(handshake(0, 1, "PLAIN")).s(handshake_answer(1, 0)).c(frame(plain)).end(1).end(0);
  EXPECT_EQ(t.finish(), "client is 0\nrequest 17 v0 #1 @0\nresponse 17 v0 #1 @0\nsasl client PLAIN size 19 @25\n");
}

TEST(Sasl, handshake_v1_keeps_the_headers) {
  Talk t;
  t.c(handshake(1, 0x7ffffff8, "PLAIN")).s(handshake_answer(0x7ffffff8, 0));
  t.c(request(36, 0, 0x7ffffff9, "test", Out().i32(19).raw(plain).bytes()))
      .s(response(0x7ffffff9, Out().i16(0).i16(-1).i32(0).bytes()));
  EXPECT_EQ(t.finish(),
            "client is 0\nrequest 17 v1 #2147483640 @0\nresponse 17 v1 #2147483640 @0\nrequest 36 v0 #2147483641 @25\n"
            "response 36 v0 #2147483641 @21\n");
}

TEST(Sasl, gssapi_without_any_handshake) {
  const std::string token = Out().raw("\x60\x10\x06\x09\x2a\x86\x48\x86\xf7\x12\x01\x02\x02").raw("abcde");
  Talk t;
  t.c(frame(token)).s(frame("")).c(frame("wrapped")).s(frame("")).c(metadata(0)).s(metadata_answer(0));
  EXPECT_EQ(t.finish(),
            "client is 0\nsasl client GSSAPI size 18 @0\nsasl server GSSAPI size 0 @0\nsasl client GSSAPI size 7 @22\n"
            "sasl server GSSAPI size 0 @4\nrequest 3 v1 #0 @33\nresponse 3 v1 #0 @8\n");
}

TEST(Sasl, only_the_client_was_captured) {
  Talk t;
  t.c(handshake(0, 1, "PLAIN")).c(frame(plain)).c(metadata(2));
  EXPECT_EQ(t.finish(),
            "client is 0\nrequest 17 v0 #1 @0\nsasl client PLAIN size 19 @25\nrequest 3 v1 #2 @48\nunanswered "
            "0\nunanswered 1\n");
}

TEST(Sasl, an_empty_answer_recorded_after_the_next_request) {
  Talk t;
  t.c(handshake(0, 1, "PLAIN"))
      .s(handshake_answer(1, 0))
      .c(frame(plain))
      .c(metadata(2))
      .s(frame(""))
      .s(metadata_answer(2));
  EXPECT_EQ(
      t.finish(),
      "client is 0\nrequest 17 v0 #1 @0\nresponse 17 v0 #1 @0\nsasl client PLAIN size 19 @25\nrequest 3 v1 #2 @48\n"
      "sasl server PLAIN size 0 @21\nresponse 3 v1 #2 @25\n");
}

TEST(Sasl, a_token_whose_first_bytes_are_an_api_key) {
  // User "A": key 65 is DescribeTransactions.
  const std::string token("\0A\0secret", 9);
  Talk t;
  t.c(handshake(0, 1, "PLAIN")).s(handshake_answer(1, 0)).c(frame(token)).s(frame("")).c(metadata(2));
  EXPECT_NE(t.finish().find("sasl client PLAIN size 9 @25\nsasl server PLAIN size 0 @21\nrequest 3 v1 #2 @38\n"),
            std::string::npos);
}

TEST(Sasl, a_second_authentication_between_requests) {
  Talk t;
  t.c(handshake(0, 1, "PLAIN"))
      .s(handshake_answer(1, 0))
      .c(frame(plain))
      .s(frame(""))
      .c(metadata(2))
      .s(metadata_answer(2));
  t.c(handshake(0, 3, "PLAIN"))
      .s(handshake_answer(3, 0))
      .c(frame(plain))
      .s(frame(""))
      .c(heartbeat(4))
      .s(heartbeat_answer(4));
  EXPECT_NE(t.finish().find("request 12 v0 #4 @125\nresponse 12 v0 #4 @93\n"), std::string::npos);
}

TEST(Sasl, the_handshake_is_lost) {
  Talk t;
  t.lose_c(25).s(handshake_answer(1, 0)).c(frame(plain)).s(frame("")).c(metadata(2)).s(metadata_answer(2));
  EXPECT_EQ(t.finish(),
            "client is 0\ngap client @0 25\nresponse unmatched #1 @0\nresync client 0\nsasl client  size 19 @25\n"
            "sasl server  size 0 @21\nrequest 3 v1 #2 @48\nresponse 3 v1 #2 @25\n");
}

TEST(Sasl, only_the_broker_was_captured) {
  Talk t;  // handshake v1: the tokens go inside SaslAuthenticate
  t.s(metadata_answer(0)).s(handshake_answer(1, 0)).s(heartbeat_answer(2)).s(metadata_answer(3)).lose_c(300);
  const std::string heard = t.finish();
  EXPECT_EQ(heard.find("sasl"), heard.npos) << heard;
  for (const char* answer : {"unmatched #0", "unmatched #1", "unmatched #2", "unmatched #3"})
    EXPECT_NE(heard.find(answer), heard.npos) << answer << '\n' << heard;
}

TEST(Sasl, handshake_and_token_are_lost) {
  Talk t;
  t.lose_c(48).s(handshake_answer(1, 0)).s(frame("")).c(metadata(2)).s(metadata_answer(2));
  const std::string all = t.finish();
  EXPECT_NE(all.find("response unmatched #1 @0\nsasl server  size 0 @21\n"), std::string::npos) << all;
  EXPECT_NE(all.find("request 3 v1 #2 @48\nresponse 3 v1 #2 @25\n"), std::string::npos) << all;
}

TEST(Sasl, zeros_behind_a_gap_are_no_empty_token) {
  Talk t;
  t.lose_c(200).s(handshake_answer(1, 0)).lose_s(30).s(std::string(7, '\0') + "\x02\x0b" + std::string(20, 'x'));
  EXPECT_EQ(t.finish().find("sasl"), std::string::npos) << "of the client nothing was heard";
}

TEST(Sasl, the_answer_to_the_handshake_is_lost) {
  Talk t;
  t.c(handshake(0, 1, "PLAIN")).lose_s(21).c(frame(plain)).s(frame("")).c(metadata(2)).s(metadata_answer(2));
  EXPECT_NE(t.finish().find("sasl server PLAIN size 0 @21\nrequest 3 v1 #2 @48\nresponse 3 v1 #2 @25\n"),
            std::string::npos);
}
