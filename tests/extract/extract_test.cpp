// SPDX-License-Identifier: MIT
// What is selected, and what comes with it.
#include <gtest/gtest.h>

#include <string>

#include "../cli/captures.h"
#include "../cli/process.h"

namespace kparse::test {
namespace {

constexpr const char* script = R"(
connections:
  - clientId: one
    steps:
      - {request: SaslHandshake, version: 1, body: {mechanism: PLAIN}, answer: {mechanisms: [PLAIN]}}
      - {request: SaslAuthenticate, version: 1, body: {authBytes: {text: "\0alice\0secret"}}, answer: {}}
      - request: Metadata
        version: 10
        body: {topics: null}
        answer: {topics: [{name: orders, topicId: t0pic0rdersAAAAAAAAAAQ, partitions: []}]}
      - {request: JoinGroup, version: 5, body: {groupId: g, protocolType: consumer}, answer: {protocolName: range}}
      - {request: SyncGroup, version: 3, body: {groupId: g}, answer: {assignment: {message: ConsumerProtocolAssignment, version: 1, body: {}}}}
  - clientId: two
    begin: 20ms
    steps:
      - request: Fetch
        version: 13
        body: {topics: [{topicId: t0pic0rdersAAAAAAAAAAQ, partitions: [{partition: 0}]}]}
        answer: {responses: [{topicId: t0pic0rdersAAAAAAAAAAQ, partitions: [{records: [{records: [{value: {text: v, times: 5000}}]}]}]}]}
      - {request: Produce, version: 3, body: {acks: 0, topicData: [{name: t, partitionData: [{records: [{records: [{value: x}]}]}]}]}}
)";

struct Extracted : ::testing::Test {
  Folder folder;
  std::string in = (folder / "in.pcapng").string(), out = (folder / "out.pcapng").string();

  void SetUp() override {
    write_file(folder / "s.yaml", script);
    const Result r = run({"craft", (folder / "s.yaml").string(), in});
    ASSERT_EQ(r.status, 0) << r.err;
  }
  static std::vector<std::string> lines(const std::string& capture, const std::string& command = "dump") {
    const std::string text = run({command, "--format", "ndjson", "--secrets", "show", capture}).out;
    std::vector<std::string> all;
    for (std::size_t at = 0, end; (end = text.find('\n', at)) != text.npos; at = end + 1) all.push_back(text.substr(at, end - at));
    return all;
  }
  static std::string member(const std::string& line, const std::string& name) {
    const auto at = line.find("\"" + name + "\":");
    if (at == line.npos) return "";
    const auto from = at + name.size() + 3;
    return line.substr(from, line.find(',', from) - from);
  }
  /// The packet of the first frame of this kind and API.
  std::string packet(const std::string& kind, const std::string& api) {
    for (const std::string& l : lines(in))
      if (member(l, "kind") == "\"" + kind + "\"" && member(l, "api") == "\"" + api + "\"") return member(l, "packet");
    ADD_FAILURE() << api;
    return "";
  }
  std::string extract(std::vector<std::string> more, int status = 0) {
    more.insert(more.begin(), "extract");
    more.insert(more.end(), {in, "-o", out});
    const Result r = run(more);
    EXPECT_EQ(r.status, status) << r.err;
    std::string apis;
    if (status == 0)
      for (const std::string& l : lines(out)) apis += (apis.empty() ? "" : " ") + member(l, "api") + (member(l, "kind") == "\"request\"" ? "?" : "!");
    std::erase(apis, '"');
    return status == 0 ? apis : r.err;
  }
};

TEST_F(Extracted, ARequestAlone) { EXPECT_EQ(extract({"--packet", packet("request", "Metadata")}), "Metadata?"); }
TEST_F(Extracted, AnAnswerNeedsItsRequest) { EXPECT_EQ(extract({"--packet", packet("response", "Metadata")}), "Metadata? Metadata!"); }
TEST_F(Extracted, SaslNeedsItsHandshake) {
  EXPECT_EQ(extract({"--packet", packet("request", "SaslAuthenticate")}), "SaslHandshake? SaslHandshake! SaslAuthenticate?");
}
TEST_F(Extracted, OldSyncGroupNeedsTheProtocolOfJoinGroup) {
  EXPECT_EQ(extract({"--packet", packet("response", "SyncGroup")}), "JoinGroup? JoinGroup! SyncGroup? SyncGroup!");
}
TEST_F(Extracted, AnIdNeedsItsName) {
  EXPECT_EQ(extract({"--packet", packet("response", "Fetch")}), "Metadata? Metadata! Fetch? Fetch!");
  EXPECT_NE(run({"records", "--format", "ndjson", out}).out.find("\"topic\":\"orders\""), std::string::npos);
  // Names of other topics are not given away.
  EXPECT_EQ(extract({"--packet", packet("response", "Fetch"), "--redact"}), "Fetch? Fetch!");
}
TEST_F(Extracted, APacketInTheMiddleOfAFrame) {
  const int first = std::stoi(packet("response", "Fetch"));
  EXPECT_EQ(extract({"--packet", std::to_string(first + 1)}), "Metadata? Metadata! Fetch? Fetch!");
}
TEST_F(Extracted, Conversations) {
  EXPECT_EQ(extract({"--conversation", "1", "--redact"}), "Fetch? Fetch! Produce?");
  EXPECT_EQ(extract({"--client", "one", "--api", "Metadata,JoinGroup"}), "Metadata? Metadata! JoinGroup? JoinGroup!");
  EXPECT_EQ(extract({"--topic", "orders", "--api", "Fetch"}), "Metadata? Metadata! Fetch? Fetch!");
}
TEST_F(Extracted, TimesAndEndsStay) {
  extract({"--conversation", "1", "--redact"});
  std::vector<std::string> before, after;
  for (const std::string& l : lines(in))
    if (member(l, "conversation") == "1") before.push_back(l);
  after = lines(out);
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i)
    for (const char* m : {"time", "client", "server", "latencyNs", "correlationId", "size", "offset"}) EXPECT_EQ(member(before[i], m), member(after[i], m)) << m;
}
TEST_F(Extracted, AFrameThatLacksBytes) {
  write_file(folder / "s.yaml", std::string("lose: [34]\n") + script);
  ASSERT_EQ(run({"craft", (folder / "s.yaml").string(), in}).status, 0);
  ASSERT_NE(run({"dump", "--format", "ndjson", in}).out.find("\"error\":{\"code\":\"lost\""), std::string::npos);
  extract({"--packet", packet("response", "Fetch")});
  EXPECT_NE(run({"dump", "--format", "ndjson", out}).out.find("\"error\":{\"code\":\"lost\""), std::string::npos);
}
TEST_F(Extracted, APortThatComesAgain) {
  write_file(folder / "s.yaml", R"(
connections:
  - {client: "10.0.0.1:50000", steps: [{request: ApiVersions, version: 0, body: {}, answer: {}}]}
  - {client: "10.0.0.1:50000", begin: 1s, steps: [{request: Metadata, version: 1, body: {topics: null}, answer: {}}]}
)");
  ASSERT_EQ(run({"craft", (folder / "s.yaml").string(), in}).status, 0);
  EXPECT_EQ(extract({"--from", "0"}), "ApiVersions? ApiVersions! Metadata? Metadata!");
}
TEST_F(Extracted, NothingThere) {
  EXPECT_NE(extract({"--packet", "1"}, 1).find("no Kafka frame is there"), std::string::npos);
  EXPECT_NE(extract({"--packet", "99999"}, 1).find("no such packet"), std::string::npos);
  EXPECT_NE(extract({"--packet", "x"}, 2).find("is none of"), std::string::npos);
  EXPECT_NE(extract({}, 2).find("what?"), std::string::npos);
  EXPECT_FALSE(fs::exists(out));
}
TEST_F(Extracted, SeveralCaptures) {
  const std::string p = packet("request", "Metadata");
  const Result r = run({"extract", "--packet", "1:" + p, in, sample("lost-packets.pcap").string(), out});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(lines(out).size(), 1u);
  EXPECT_EQ(run({"extract", "--packet", p, in, sample("lost-packets.pcap").string(), out}).status, 2);
  EXPECT_EQ(run({"extract", "--packet", "3:1", in, sample("lost-packets.pcap").string(), out}).status, 2);
}

TEST(ExtractTls, TheInsideInPlain) {
  const Folder folder;
  const fs::path tls = fs::path(KPARSE_SOURCE_DIR) / "samples/tls";
  const std::string out = (folder / "x.pcapng").string();
  const Result closed = run({"extract", "--conversation", "0", (tls / "tls13.pcap").string(), out});
  EXPECT_EQ(closed.status, 1);
  EXPECT_NE(closed.err.find("--keylog"), std::string::npos) << closed.err;
  const Result open = run({"extract", "--conversation", "0", "--keylog", (tls / "tls13.keylog.txt").string(), (tls / "tls13.pcap").string(), out});
  EXPECT_EQ(open.status, 0) << open.err;
  EXPECT_NE(run({"dump", out}).out.find("ApiVersions"), std::string::npos);
}

}  // namespace
}  // namespace kparse::test
