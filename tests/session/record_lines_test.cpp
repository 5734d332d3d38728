// SPDX-License-Identifier: MIT
// What `kparse records` and `kparse frames` print.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <utility>

#include "build.h"
#include "kparse/record_walk.h"
#include "output/diagnostics.h"
#include "records/client_ids.h"
#include "records/frame_summary.h"
#include "records/record_json.h"
#include "records/record_text.h"

namespace kparse::cli {
namespace {

using test::Build;

/// A batch of magic 2 around one record. `attributes`: 0x10 transactional, 0x20 control.
std::vector<std::uint8_t> one_record(int attributes, const Build& record) {
  Build b;
  b.i64(70).i32(static_cast<std::int64_t>(49 + record.done().size() + 1)).i32(-1).i8(2).i32(0).i16(attributes).i32(0);
  b.i64(1700000000000).i64(1700000000000).i64(9).i16(4).i32(5).i32(1);
  b.varint(static_cast<std::int32_t>(record.done().size())).raw(record.done());
  return b.done();
}

/// Key null, a value that is no UTF-8, two headers.
Build odd_record() {
  Build r;
  r.i8(0).varint(3).varint(0).varint(-1).varint(2).i8(0xff).i8(0x00).varint(2);
  r.varint(1).raw("h").varint(2).raw("é").varint(1).raw("h").varint(-1);
  return r;
}

class RecordLinesTest : public testing::Test {
 protected:
  /// What `make(out)` prints of a records field.
  template <class Make>
  std::string printed(Make make, const std::vector<std::uint8_t>& set, std::optional<std::int64_t> offset,
                      std::string_view topic = "t") {
    const std::string path = testing::TempDir() + "record_lines_" + std::to_string(::getpid());
    {
      Diagnostics diagnostics;
      Output out(diagnostics);
      EXPECT_TRUE(out.open(path));
      {
        auto lines = make(out);
        lines.begin_field({info_, {1700000000123456789, 12, 0}, {1700000000123456789, 12, 0}, "cli", false, Via::produce, topic,
                           nullptr, 2});
        struct Sink : RecordSink {
          RecordOut& to;
          std::optional<std::int64_t> offset;
          Sink(RecordOut& t, std::optional<std::int64_t> o) : to(t), offset(o) {}
          bool begin_batch(const Batch& b) noexcept {
            to.begin_batch(b);
            return true;
          }
          void record(const Batch& b, const Record& r) noexcept { to.record(b, r, offset); }
        } sink(lines, offset);
        Scratch scratch;
        read_records(set, {}, scratch, sink);
      }
      EXPECT_TRUE(out.commit());
    }
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    std::remove(path.c_str());
    return text;
  }
  std::string json(BytesAs as, const std::vector<std::uint8_t>& set, std::optional<std::int64_t> offset = 71,
                   std::string_view topic = "t") {
    return printed([&](Output& out) { return RecordJson(out, captures_, as, false); }, set, offset, topic);
  }

  const std::vector<std::string> captures_{"a.pcap"};
  const ConversationInfo info_{.number = 3, .client = "10.0.0.1:5", .server = "[::1]:9092", .proxied = {}, .role_guessed = false};
  const std::string place_ =
      R"({"capture":"a.pcap","packet":12,"time":"2023-11-14T22:13:20.123456789Z","conversation":3,"client":"10.0.0.1:5",)"
      R"("server":"[::1]:9092","clientId":"cli","via":"produce","topic":"t","topicId":null,"partition":2,"baseOffset":70,)"
      R"("timestampType":"CreateTime","magic":2,"codec":"none","producerId":9,"producerEpoch":4,)";
};

TEST_F(RecordLinesTest, Json) {
  EXPECT_EQ(json(BytesAs::text, one_record(0x10, odd_record())),
            place_ + R"("transactional":true,"offset":71,"timestamp":1700000000003,"sequence":5,"control":null,"keySize":-1,)"
                     R"("valueSize":2,"key":null,"value":{"base64":"/wA="},"headers":[["h","é"],["h",null]]})"
                     "\n");
}

TEST_F(RecordLinesTest, JsonOfTheOtherByteModes) {
  const auto set = one_record(0, odd_record());
  EXPECT_NE(json(BytesAs::base64, set).find(R"("key":null,"value":"/wA=","headers":[["h","w6k="],["h",null]]})"), std::string::npos);
  EXPECT_NE(json(BytesAs::hex, set).find(R"("key":null,"value":"ff00","headers":[["h","c3a9"],["h",null]]})"), std::string::npos);
  EXPECT_NE(json(BytesAs::nothing, set).find(R"("valueSize":2,"headers":[["h"],["h"]]})"), std::string::npos);
}

TEST_F(RecordLinesTest, JsonOfAnUnknownOffset) {
  EXPECT_NE(json(BytesAs::text, one_record(0, odd_record()), std::nullopt).find(R"("offset":null,)"), std::string::npos);
}

TEST_F(RecordLinesTest, JsonOfAControlRecord) {
  Build marker;  // COMMIT, coordinator epoch 7
  marker.i8(0).varint(0).varint(0).varint(4).i16(0).i16(1).varint(6).i16(0).i32(7).varint(0);
  const std::string line = json(BytesAs::hex, one_record(0x30, marker));
  EXPECT_NE(line.find(R"("transactional":true,)"), std::string::npos);
  EXPECT_NE(line.find(R"("control":"COMMIT","keySize":4,"valueSize":6,"key":"00000001","value":"000000000007")"), std::string::npos);
  EXPECT_NE(line.find(R"("valueDecoded":{)"), std::string::npos) << line;
  EXPECT_NE(line.find(R"("coordinatorEpoch":7)"), std::string::npos) << line;
}

TEST_F(RecordLinesTest, JsonOfAnInternalTopic) {
  Build r;  // __consumer_offsets: OffsetCommitKey 1, value version 3
  Build key, value;
  key.i16(1).str("billing").str("orders").i32(4);
  value.i16(3).i64(99).i32(-1).str("").i64(1700000000000);
  r.i8(0).varint(0).varint(0).varint(static_cast<std::int32_t>(key.done().size())).raw(key.done());
  r.varint(static_cast<std::int32_t>(value.done().size())).raw(value.done()).varint(0);
  const auto set = one_record(0, r);
  const std::string line = json(BytesAs::nothing, set, 1, "__consumer_offsets");
  EXPECT_NE(line.find(R"("keyDecoded":{)"), std::string::npos);
  EXPECT_NE(line.find(R"("group":"billing","topic":"orders","partition":4)"), std::string::npos) << line;
  EXPECT_NE(line.find(R"("valueDecoded":{)"), std::string::npos);
  EXPECT_NE(line.find(R"("offset":99)"), std::string::npos) << line;
  EXPECT_EQ(json(BytesAs::nothing, set, 1, "elsewhere").find("Decoded"), std::string::npos);
}

// A SCRAM credential in the metadata topic: what is decoded is redacted, and so must be the bytes that it was decoded from.
TEST_F(RecordLinesTest, RawBytesDoNotGiveAwaySecrets) {
  Build value;  // frame 1, UserScramCredentialRecord (11), version 0
  value.uvarint(1).uvarint(11).uvarint(0).cstr("alice").i8(1).cblob({1, 2}).cblob({3, 4}).cblob({5, 6}).i32(4096).no_tags();
  Build r;
  r.i8(0).varint(0).varint(0).varint(-1).varint(static_cast<std::int32_t>(value.done().size())).raw(value.done()).varint(0);
  const auto set = one_record(0, r);
  const std::string line = json(BytesAs::base64, set, 1, "__cluster_metadata");
  EXPECT_NE(line.find(R"#("value":"(redacted)",)#"), std::string::npos) << line;
  EXPECT_NE(line.find(R"("name":"alice")"), std::string::npos) << line;
  const auto csv = printed([&](Output& out) { return RecordCsv(out, captures_, BytesAs::base64, false); }, set, 1, "__cluster_metadata");
  EXPECT_NE(csv.find(",(redacted),"), std::string::npos) << csv;
  const auto text = printed([&](Output& out) { return RecordText(out, BytesAs::base64, Painter(When::never, false), false); }, set, 1,
                            "__cluster_metadata");
  EXPECT_NE(text.find("null = (redacted)"), std::string::npos) << text;
}

TEST_F(RecordLinesTest, Csv) {
  const auto csv = printed([&](Output& out) { return RecordCsv(out, captures_, BytesAs::text, false); }, one_record(0, odd_record()), 71);
  EXPECT_NE(csv.find("a.pcap,12,2023-11-14T22:13:20.123456789Z,3,10.0.0.1:5,[::1]:9092,cli,produce,t,,2,70,71,1700000000003,"
                     "CreateTime,2,none,9,4,5,false,,-1,2,,"),
            std::string::npos)
      << csv;
}

TEST_F(RecordLinesTest, TextHasNothingThatATerminalObeys) {
  Build r;
  r.i8(0).varint(0).varint(0).varint(4).raw("k\x1b[m").varint(1).raw("v").varint(0);
  const auto text = printed([&](Output& out) { return RecordText(out, BytesAs::text, Painter(When::never, false), false); },
                            one_record(0, r), 71);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("t-2@71"), std::string::npos) << text;
}

TEST(FrameSummary, CountsAndCuts) {
  FrameSummary s;
  Scratch scratch;
  for (int i = 0; i < 12; ++i) {
    const std::string name = "t" + std::to_string(i);
    s.partition({{.name = name, .id = nullptr}, 0});
    s.partition({{.name = name, .id = nullptr}, 1});
  }
  s.partition({{.name = "t0", .id = nullptr}, -1});
  s.records(test::batch(5, {"a", "b", "c"}), scratch);
  for (const std::int16_t code : {6, 3, 6}) s.error({.code = code, .node = no_node, .topic = {}, .partition = -1, .group = {}});
  EXPECT_EQ(s.topic_count(), 10u);
  EXPECT_TRUE(s.more_topics());
  EXPECT_EQ(s.topic(9), "t9");
  EXPECT_EQ(s.partitions(), 24u);
  EXPECT_EQ(s.records(), 3u);
  EXPECT_EQ(s.errors(), (std::vector<std::int16_t>{6, 3}));
  s.clear();
  EXPECT_EQ(s.topic_count() + s.partitions() + s.records() + s.errors().size(), 0u);
}

TEST(FrameSummary, ATopicWithoutNameIsItsId) {
  FrameSummary s;
  std::uint8_t id[16] = {};
  id[15] = 1;
  s.partition({{.name = {}, .id = id}, 0});
  EXPECT_EQ(s.topic(0), "AAAAAAAAAAAAAAAAAAAAAQ");
}

TEST(ClientIds, RemembersChanges) {
  ClientIds ids;
  EXPECT_TRUE(ids.of(0).null);
  ids.request(0, "a", false);
  ids.request(1, "a", false);
  ids.request(2, "b", false);
  ids.request(5, "", true);
  EXPECT_EQ(ids.of(0).client_id, "a");
  EXPECT_EQ(ids.of(1).client_id, "a");
  EXPECT_EQ(ids.of(4).client_id, "b");
  EXPECT_TRUE(ids.of(9).null);
}

// What lines share is kept as text: it must not outlive what it says.
TEST_F(RecordLinesTest, WhatChangesFromFieldToFieldIsSaid) {
  const std::string path = testing::TempDir() + "record_fields_" + std::to_string(::getpid());
  const auto first = one_record(0, odd_record()), second = one_record(0x10, odd_record());
  const ConversationInfo other{.number = 8, .client = "x:1", .server = "y:2", .proxied = {}, .role_guessed = false};
  const std::uint8_t id[16] = {1}, id2[16] = {2};
  struct Field {
    const ConversationInfo& conversation;
    std::string_view client, topic;
    const std::uint8_t* id;
    std::int32_t partition;
    const std::vector<std::uint8_t>& set;
  };
  const Field fields[] = {{info_, "a", "t", nullptr, 1, first}, {other, "a", "t", nullptr, 1, first},
                          {other, "b", "t", nullptr, 1, first}, {other, "b", "u", nullptr, 1, first},
                          {other, "b", "u", id, 1, first},      {other, "b", "u", id2, 1, first},
                          {other, "b", "u", id2, 2, first},     {other, "b", "u", id2, 2, second}};
  std::vector<std::string> alone, together;
  const auto print = [&](std::span<const Field> some, std::vector<std::string>& to) {
    {
      Diagnostics diagnostics;
      Output out(diagnostics);
      ASSERT_TRUE(out.open(path));
      {
        RecordJson lines(out, captures_, BytesAs::text, false);
        for (const Field& f : some) {
          lines.begin_field({f.conversation, {}, {}, f.client, false, Via::fetch, f.topic, f.id, f.partition});
          struct Sink : RecordSink {
            RecordOut& to;
            explicit Sink(RecordOut& t) : to(t) {}
            bool begin_batch(const Batch& b) noexcept {
              to.begin_batch(b);
              return true;
            }
            void record(const Batch& b, const Record& r) noexcept { to.record(b, r, std::nullopt); }
          } sink(lines);
          Scratch scratch;
          read_records(f.set, {}, scratch, sink);
        }
      }
      ASSERT_TRUE(out.commit());
    }
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) to.push_back(line);
    std::remove(path.c_str());
  };
  for (const Field& f : fields) print({&f, 1}, alone);
  print(fields, together);
  EXPECT_EQ(together, alone);
  for (std::size_t i = 1; i < together.size(); ++i) EXPECT_NE(together[i - 1], together[i]);
}

}  // namespace
}  // namespace kparse::cli
