// SPDX-License-Identifier: MIT
// kparse encode, as its callers see it.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <string>
#include <vector>

#include "captures.h"
#include "process.h"

namespace kparse::test {
namespace {

const std::string groups = R"({"statesFilter":["Stable"]})";
const std::string groups_hex = "0207537461626c6500";

TEST(EncodeCommand, JsonFromArgumentFileAndInput) {
  const Folder folder;
  const fs::path file = folder / "request.json";
  write_file(file, groups);
  const std::vector<std::string> call = {"encode", "--message", "ListGroupsRequest", "--version", "4"};
  for (const std::string& from : {groups, file.string(), std::string("-")}) {
    auto arguments = call;
    arguments.push_back(from);
    const Result r = run(arguments, from == "-" ? groups : "");
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(r.out, groups_hex + "\n") << from;
    EXPECT_EQ(r.err, "");
  }
  EXPECT_EQ(run(call, groups).out, groups_hex + "\n") << "standard input is what is left";
}

TEST(EncodeCommand, RawBytesToAFile) {
  const Folder folder;
  const fs::path file = folder / "out.bin";
  const Result r =
      run({"encode", "--message", "ListGroupsRequest", "--version", "4", "--raw", "--output", file, groups});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(read_file(file), std::string("\2\7Stable\0", 9));
}

TEST(EncodeCommand, HeaderAndFrameAsDecodePrintsThem) {
  const std::string hex = "0012000300000001ffff000b6c696272646b61666b6106322e332e3000";
  const Result decoded = run({"decode", "--message", "ApiVersionsRequest", "--version", "3", "--header", hex});
  ASSERT_EQ(decoded.status, 0) << decoded.err;
  const std::vector<std::string> call = {"encode", "--message", "ApiVersionsRequest", "--version", "3"};
  auto header = call, frame = call;
  header.emplace_back("--header");
  frame.emplace_back("--frame");
  EXPECT_EQ(run(header, decoded.out).out, hex + "\n");
  EXPECT_EQ(run(frame, decoded.out).out, "0000001d" + hex + "\n");

  const Result other = run({"encode", "--message", "MetadataRequest", "--version", "3", "--header"}, decoded.out);
  EXPECT_EQ(other.status, 2);
  EXPECT_NE(other.err.find("'headerVersion' is 2"), std::string::npos) << other.err;
  const Result without = run(frame, "{}");
  EXPECT_EQ(without.status, 2);
  EXPECT_NE(without.err.find("header"), std::string::npos);
}

TEST(EncodeCommand, SaysWhereAndWhy) {
  const Result r =
      run({"encode", "--message", "MetadataRequest", "--version", "1"}, R"({"topics":[{"name":"a"},{"name":7}]})");
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(r.err, "kparse: standard input: topics[1].name: needs a string, got a number\n");
  EXPECT_EQ(run({"encode", "--message", "MetadataRequest", "--version", "1"}, "{").status, 1);

  const Result unknown =
      run({"encode", "--message", "MetadataRequest", "--version", "1"}, R"({"topics":[],"topic":1})");
  EXPECT_EQ(unknown.status, 0);
  EXPECT_EQ(unknown.out, "00000000\n");
  EXPECT_EQ(unknown.err, "kparse: standard input: topic: left out: MetadataRequest has no such field\n");
}

TEST(EncodeCommand, HalfASurrogatePairIsNoText) {
  const auto encode = [](const std::string& name) {
    return run({"encode", "--message", "ListGroupsRequest", "--version", "4"}, R"({"statesFilter":[")" + name + R"("]})");
  };
  EXPECT_EQ(encode(R"(a\\ud83d\ude00)").status, 1) << "a first half behind a backslash that stands for itself is none";
  EXPECT_EQ(encode(R"(\ud83d\uDE00\\udc00)").out, "020bf09f98805c756463303000\n");
  for (const char* lone : {R"(\udc00)", R"(a\uDFFFb)", R"(\ud83d)", R"(\ud83d\ude00\ude00)", R"(\ude00\ud83d)"}) {
    const Result r = encode(lone);
    EXPECT_EQ(r.status, 1) << lone;
    EXPECT_EQ(r.out, "") << lone;
    EXPECT_NE(r.err.find("surrogate pair in string is invalid"), std::string::npos) << r.err;
  }
}

TEST(EncodeCommand, NumbersThatNoDoubleHolds) {
  const auto encode = [](const std::string& value) {
    return run({"encode", "--message", "AlterClientQuotasRequest", "--version", "0"},
               R"({"entries":[{"entity":[],"ops":[{"key":"2e308","value":)" + value + R"(,"remove":false}]}],"validateOnly":false})");
  };
  for (const std::string value : {"2e308", "-9.99e308", "72.9769157e+308", "1E309"}) {
    const Result r = encode(value);
    EXPECT_EQ(r.status, 1) << value;
    EXPECT_NE(r.err.find("too big"), std::string::npos) << r.err;
  }
  EXPECT_EQ(encode("2" + std::string(308, '0')).status, 1);
  for (const char* value : {"1.7976931348623157e308", "1e-400", "1.5e3"}) EXPECT_EQ(encode(value).status, 0) << value;
}

TEST(EncodeCommand, WrongUsage) {
  const auto refused = [](std::vector<std::string> arguments, const char* why) {
    arguments.insert(arguments.begin(), "encode");
    const Result r = run(arguments, "{}");
    EXPECT_EQ(r.status, 2) << why;
    EXPECT_NE(r.err.find(why), std::string::npos) << r.err;
  };
  refused({}, "one of --message and --batch is needed");
  refused({"--message", "MetadataRequest"}, "--version is needed");
  refused({"--message", "MetadataRequset", "--version", "1"}, "did you mean MetadataRequest");
  refused({"--message", "MetadataRequest", "--version", "99"}, "has no version 99, only 0 to 13");
  refused({"--message", "OffsetCommitKey", "--version", "0", "--header"}, "it is no request or response");
  refused({"--batch", "--raw"}, "exclude each other");
  EXPECT_EQ(run({"encode", "--message", "MetadataRequest", "--version", "1", "/no/such/file"}).status, 3);
}

TEST(EncodeCommand, BatchPassesTheRestThrough) {
  const Result r = run(
      {"encode", "--batch"},
      R"({"id":[1,2.50,"\u00e9"],"message":"ListGroupsRequest","version":4,"json":{"statesFilter":["Stable"]}})"
      "\n\n"
      R"({"message":"HeartbeatRequest","version":0,"json":{"groupId":"g","generationId":1,"memberId":"m","groupInstanceId":"i"}})"
      "\nno json\n"
      R"({"message":"ListGroupsRequest","version":0})"
      "\n"
      R"({"message":"ListGroupsRequest","version":4,"json":{"statesFilter":[],"typesFilter":[],"other":1}})"
      "\n");
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(
      r.out,
      R"({"id":[1,2.5,"é"],"message":"ListGroupsRequest","version":4,"hex":"0207537461626c6500"})"
      "\n"
      R"({"message":"HeartbeatRequest","version":0,"error":{"code":"notInVersion","field":"groupInstanceId",)"
      R"("message":"set, but version 0 does not have it, only 3 to 4"}})"
      "\n"
      R"({"error":"not JSON at byte 1: Invalid value."})"
      "\n"
      R"({"message":"ListGroupsRequest","version":0,"error":"'json' is missing"})"
      "\n"
      R"({"message":"ListGroupsRequest","version":4,"hex":"0100","notes":[{"rule":"unknownMember","field":"other",)"
      R"("message":"left out: ListGroupsRequest has no such field"}]})"
      "\n");
}

TEST(EncodeCommand, DeepJsonIsRefused) {
  const std::string deep = R"({"x":)" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}";
  for (const char* command : {"encode", "decode"})
    EXPECT_EQ(run({command, "--batch"}, deep + "\n").out, "{\"error\":\"JSON nested deeper than 1000\"}\n");
}

TEST(EncodeCommand, DecodeTurnsItRound) {
  const std::string clean = R"({"message":"HeartbeatRequest","version":4,"hex":"010000000101000203020102800100"})";
  const Result json = run({"decode", "--batch", "--unknown-tags"}, clean + "\n");
  EXPECT_NE(json.out.find("$tags"), std::string::npos) << json.out;
  EXPECT_EQ(run({"encode", "--batch", "--unknown-tags"}, json.out).out, clean + "\n");
}

TEST(EncodeCommand, RecordsComeBackIfTheyAreNotOpened) {
  const std::string batch =
      "000000000000002a0000004dffffffff025bc6cc26000000000001000001577d8a5400000001577d8a5405ffffffffffffffffffffffffff"
      "ff0000000228000000046b3104763106026102310261010262000c000a02010100";
  const std::string line = R"({"message":"ProduceRequest","version":3,"hex":")"
                           "ffff0001000000010000000100016100000001"
                           "0000000000000059" +
                           batch + "\"}\n";
  const Result json = run({"decode", "--batch", "--raw-records"}, line);
  EXPECT_NE(json.out.find("\"records\":\"AAAA"), std::string::npos) << json.out;
  EXPECT_EQ(run({"encode", "--batch"}, json.out).out, line);
}

TEST(EncodeCommand, RefusesWhatWasRedacted) {
  const Result json = run({"decode", "--message", "SaslAuthenticateRequest", "--version", "0", "00000003616263"});
  EXPECT_NE(json.out.find("(redacted)"), std::string::npos);
  const Result r = run({"encode", "--message", "SaslAuthenticateRequest", "--version", "0"}, json.out);
  EXPECT_EQ(r.status, 1);
  EXPECT_NE(r.err.find("authBytes: \"(redacted)\" stands for a secret"), std::string::npos) << r.err;
}

}  // namespace
}  // namespace kparse::test
