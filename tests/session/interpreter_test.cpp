// SPDX-License-Identifier: MIT
#include "kparse/interpreter.h"

#include <gtest/gtest.h>

#include "build.h"
#include "recorder.h"

namespace kparse {
namespace {

using test::batch;
using test::Build;
using Lines = std::vector<std::string>;

class InterpreterTest : public testing::Test {
 protected:
  void request(const char* api, int version, const std::vector<std::uint8_t>& body, bool answer = true) {
    Request r = test::request_of(api, version, body, serial_++);
    r.answer_expected = answer;
    interpreter_.on_request(r);
  }
  /// Answers request number `serial`.
  void response(const char* api, int version, std::uint64_t serial, const std::vector<std::uint8_t>& body) {
    interpreter_.on_response(test::response_of(api, version, body, serial));
  }
  Lines of(const std::string& word) const { return seen_.of(word); }

  ConversationInfo info_{.number = 0, .client = "10.0.0.1:50000", .server = "10.0.0.2:9092", .proxied = {}, .role_guessed = false};
  Cluster cluster_;
  InterpreterPrograms programs_;
  test::Recorder seen_;
  Interpreter interpreter_{info_, cluster_, programs_, seen_, {}};
  std::uint64_t serial_ = 0;
};

// In Metadata the error code stands before the name and the partition that it is about.
TEST_F(InterpreterTest, ErrorsBeforeTheirNames) {
  Build b;
  b.i32(1).i32(4).str("broker-4").i32(9092);
  b.i32(2);
  b.i16(5).str("alpha").i32(2);
  b.i16(6).i32(0).i32(-1).i32(0).i32(0);
  b.i16(9).i32(1).i32(-1).i32(0).i32(0);
  b.i16(3).str("beta").i32(0);
  response("Metadata", 0, 0, b.done());
  EXPECT_EQ(of("error"), (Lines{"error 6 alpha 0 ", "error 9 alpha 1 ", "error 5 alpha -1 ", "error 3 beta -1 "}));
  EXPECT_EQ(of("partition"), (Lines{"partition alpha 0", "partition alpha 1", "partition beta -1"}));
  EXPECT_EQ(of("broker"), (Lines{"broker 4 broker-4 9092"}));
  EXPECT_EQ(of("end"), (Lines{"end"}));
}

// A listener without a name is advertised so, and clients try to go there; without a host there is no broker.
TEST_F(InterpreterTest, BrokersWithoutAName) {
  Build b;
  b.i32(2).i32(4).str("").i32(9092).i32(5).i16(-1).i32(9093).i32(0);
  response("Metadata", 0, 0, b.done());
  EXPECT_EQ(of("broker"), (Lines{"broker 4  9092"}));
  EXPECT_EQ(cluster_.broker(4), nullptr);
  EXPECT_EQ(cluster_.broker(5), nullptr);
}

TEST_F(InterpreterTest, AnIdIsNamedByALaterMetadata) {
  Build fetch;  // version 13
  fetch.i32(0).i16(0).i32(0).carray(1).id(7).carray(1);
  fetch.i32(2).i16(100).i64(-1).i64(-1).i64(-1).carray(0).i32(-1).cblob({}).no_tags();
  fetch.no_tags().no_tags();
  response("Fetch", 13, 0, fetch.done());
  Build metadata;  // version 12
  metadata.i32(0).carray(0).uvarint(0).i32(-1).carray(1);
  metadata.i16(0).cstr("orders").id(7).i8(0).carray(0).i32(0).no_tags();
  metadata.no_tags();
  response("Metadata", 12, 1, metadata.done());
  response("Fetch", 13, 2, fetch.done());
  EXPECT_EQ(of("id"), (Lines{"id orders 7"}));
  EXPECT_EQ(of("error"), (Lines{"error 100 -/7 2 ", "error 100 orders/7 2 "}));
  EXPECT_EQ(of("end"), (Lines{"end", "end", "end"}));
  EXPECT_EQ(cluster_.topics(), 2u);
}

TEST_F(InterpreterTest, ProduceAndItsAnswer) {
  Build q;  // version 7
  const auto set = batch(0, {"x"});
  q.str("tx-1").i16(-1).i32(1000).i32(1).str("t").i32(2).i32(0).blob(set).i32(5).blob(set);
  request("Produce", 7, q.done());
  Build a;
  a.i32(1).str("t").i32(2);
  a.i32(0).i16(0).i64(41).i64(-1).i64(0);
  a.i32(5).i16(6).i64(-1).i64(-1).i64(-1);
  a.i32(20);
  response("Produce", 7, 0, a.done());
  const std::string size = std::to_string(set.size());
  EXPECT_EQ(seen_.lines,
            (Lines{"conversation 10.0.0.1:50000", "request Produce 7", "transaction tx-1", "acks -1",
                   "records produce t 0 " + size + " 0 0", "partition t 0", "records produce t 5 " + size + " 0 0", "partition t 5",
                   "end", "response Produce", "partition t 0", "answered 0 t 0 0 41 -1", "partition t 5", "error 6 t 5 ",
                   "answered 0 t 5 6 -1 -1", "throttle 20", "end"}));
}

TEST_F(InterpreterTest, AnErrorHasTheGroupOfItsRequest) {
  Build q;  // version 2
  q.str("billing").i32(3).str("member-1").i64(-1).i32(1).str("t").i32(1).i32(0).i64(7).str("");
  request("OffsetCommit", 2, q.done());
  request("OffsetCommit", 2, Build().str("other").i32(3).str("m").i64(-1).i32(0).done());
  response("OffsetCommit", 2, 0, Build().i32(1).str("t").i32(1).i32(0).i16(22).done());
  EXPECT_EQ(of("group"), (Lines{"group billing member-1", "group other m"}));
  EXPECT_EQ(of("error"), (Lines{"error 22 t 0 billing"}));
}

TEST_F(InterpreterTest, AnErrorHasTheGroupBesideIt) {
  Build a;  // DescribeGroups 0: the error code comes first
  a.i32(2).i16(16).str("g1").str("").str("").str("").i32(0);
  a.i16(0).str("g2").str("Stable").str("consumer").str("range").i32(1).str("m1").str("c").str("/h").blob("").blob("");
  response("DescribeGroups", 0, 0, a.done());
  EXPECT_EQ(of("error"), (Lines{"error 16 - -1 g1"}));
  EXPECT_EQ(of("group"), (Lines{"group g1 ", "group g2 m1", "group g2 "}));
}

TEST_F(InterpreterTest, NestedErrorsOfOneStructBothCount) {
  Build a;  // ShareFetch 1
  a.i32(0).i16(0).uvarint(0).i32(0).carray(1).id(9).carray(1);
  a.i32(3).i16(6).uvarint(0).i16(121).uvarint(0).i32(-1).i32(-1).no_tags().uvarint(0).carray(0).no_tags();
  a.no_tags().carray(0).no_tags();
  response("ShareFetch", 1, 0, a.done());
  EXPECT_EQ(of("end"), (Lines{"end"}));
  EXPECT_EQ(of("error"), (Lines{"error 6 -/9 3 ", "error 121 -/9 3 "}));
}

TEST_F(InterpreterTest, ABodyThatBreaksOffKeepsItsEvents) {
  Build b;
  b.i32(0).i32(2);
  b.i16(5).str("alpha").i32(0);
  b.i16(3).str("beta");  // its partitions are missing
  response("Metadata", 0, 0, b.done());
  EXPECT_EQ(of("error"), (Lines{"error 5 alpha -1 ", "error 3 beta -1 "}));
  EXPECT_EQ(of("end"), (Lines{"end truncated"}));
}

TEST_F(InterpreterTest, AVersionNewerThanTheTables) {
  request("Metadata", 99, Build().i32(0).done());
  response("Metadata", 99, 0, Build().i32(0).done());
  EXPECT_EQ(of("end"), (Lines{"end unknownVersion", "end unknownVersion"}));
}

TEST_F(InterpreterTest, AFrameThatLacksBytesSaysThatFirst) {
  Request r;
  r.api = find_api(std::string_view("Metadata"));
  r.api_key = 3;
  r.version = 0;
  r.known = true;
  r.frame.error.code = Code::lost;
  const auto body = Build().i32(3).str("alpha").done();
  r.body = body;
  interpreter_.on_request(r);
  EXPECT_EQ(of("partition"), (Lines{"partition alpha -1"}));
  EXPECT_EQ(of("end"), (Lines{"end lost"}));
}

TEST_F(InterpreterTest, LongPolls) {
  Build q;  // version 4
  q.i32(-1).i32(500).i32(1).i32(1 << 20).i8(0).i32(1).str("t").i32(1).i32(0).i64(0).i32(1 << 20);
  request("Fetch", 4, q.done());
  request("Fetch", 4, q.done());
  auto answer = [](const std::vector<std::uint8_t>& set) {
    return Build().i32(0).i32(1).str("t").i32(1).i32(0).i16(0).i64(1).i64(1).i32(0).blob(set).done();
  };
  response("Fetch", 4, 0, answer({}));
  response("Fetch", 4, 1, answer(batch(0, {"x"})));
  EXPECT_EQ(of("poll"), (Lines{"poll 500 none", "poll 500 data"}));
}

TEST_F(InterpreterTest, PlainNamesItsUser) {
  request("SaslHandshake", 1, Build().str("PLAIN").done());
  request("SaslAuthenticate", 0, Build().blob(std::string_view("\0alice\0secret", 13)).done());
  EXPECT_EQ(of("principal"), (Lines{"principal PLAIN alice"}));
}

TEST_F(InterpreterTest, ScramNamesItsUserOnce) {
  request("SaslHandshake", 1, Build().str("SCRAM-SHA-256").done());
  request("SaslAuthenticate", 0, Build().blob("n,,n=bob,r=abc").done());
  request("SaslAuthenticate", 0, Build().blob("c=biws,r=abcdef,p=xyz").done());
  EXPECT_EQ(of("principal"), (Lines{"principal SCRAM-SHA-256 bob"}));
}

TEST_F(InterpreterTest, KerberosAndDelegationTokensHideTheUser) {
  request("SaslHandshake", 1, Build().str("GSSAPI").done());
  request("SaslAuthenticate", 0, Build().blob("\x60\x82\x01").done());
  request("SaslHandshake", 1, Build().str("SCRAM-SHA-512").done());
  request("SaslAuthenticate", 0, Build().blob("n,,n=tokenid,r=abc,tokenauth=true").done());
  EXPECT_EQ(of("principal"), (Lines{"principal GSSAPI ", "principal SCRAM-SHA-512 "}));
}

TEST_F(InterpreterTest, ARawTokenNamesTheUserOfTheNextRequest) {
  request("SaslHandshake", 0, Build().str("PLAIN").done());
  SaslToken token;
  const std::vector<std::uint8_t> bytes = Build().raw(std::string_view("\0carol\0pw", 9)).done();
  token.frame.data = bytes;
  token.mechanism = "PLAIN";
  interpreter_.on_sasl(token);
  EXPECT_TRUE(of("principal").empty());
  request("Metadata", 0, Build().i32(0).done());
  request("Metadata", 0, Build().i32(0).done());
  EXPECT_EQ(of("principal"), (Lines{"principal PLAIN carol"}));
}

TEST_F(InterpreterTest, ClientSoftware) {
  request("ApiVersions", 3, Build().cstr("librdkafka").cstr("2.0.2").no_tags().done());
  EXPECT_EQ(of("software"), (Lines{"software librdkafka 2.0.2"}));
}

TEST_F(InterpreterTest, TopicRecordsNameTopics) {
  Build value;  // frame version 1, type 2 (TopicRecord), version 0
  value.uvarint(1).uvarint(2).uvarint(0).cstr("orders").id(5).no_tags();
  const auto set = batch(0, {std::string(text(value.done()))});
  Build id;
  id.i64(0).i64(1);
  Build fetch;  // version 13
  fetch.i32(0).i16(0).i32(0).carray(1).raw(id.done()).carray(1);
  fetch.i32(0).i16(0).i64(1).i64(1).i64(0).carray(0).i32(-1).cblob(set).no_tags();
  fetch.no_tags().no_tags();
  response("Fetch", 13, 0, fetch.done());
  EXPECT_EQ(of("end"), (Lines{"end"}));
  EXPECT_EQ(of("id"), (Lines{"id orders 5"}));
  EXPECT_EQ(cluster_.topic_name(Build().id(5).done().data()), "orders");
}

TEST_F(InterpreterTest, MoreOpenRequestsThanItsBoundIsSaid) {
  const auto body = Build().str("g").i32(1).str("m").done();
  for (int i = 0; i < 4099; ++i) request("Heartbeat", 0, body);
  interpreter_.on_close({});
  EXPECT_EQ(of("limit"), (Lines{"limit 4096 3"}));
  EXPECT_EQ(of("close"), (Lines{"close"}));
}

TEST_F(InterpreterTest, OpenRequestsEndWithTheirAnswers) {
  const auto body = Build().str("g").i32(1).str("m").done();
  for (std::uint64_t i = 0; i < 5000; ++i) {
    request("Heartbeat", 0, body);
    if (i % 2) response("Heartbeat", 0, i, Build().i16(27).done());
    else interpreter_.on_unanswered(i);
  }
  interpreter_.on_close({});
  EXPECT_TRUE(of("limit").empty());
  EXPECT_EQ(of("error").size(), 2500u);
  EXPECT_EQ(of("error").back(), "error 27 - -1 g");
}

TEST_F(InterpreterTest, WithoutBodiesOnlyFramesAreTold) {
  Interpreter headers_only(info_, cluster_, programs_, seen_, {.bodies = false});
  Request r;
  r.api = find_api(std::string_view("Metadata"));
  r.api_key = 3;
  r.version = 0;
  r.known = true;
  const auto body = Build().i32(1).str("alpha").done();
  r.body = body;
  headers_only.on_request(r);
  EXPECT_EQ(seen_.lines, (Lines{"conversation 10.0.0.1:50000", "request Metadata 0", "end"}));
}

}  // namespace
}  // namespace kparse
