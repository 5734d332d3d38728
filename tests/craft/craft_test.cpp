// SPDX-License-Identifier: MIT
// What a script says, dump and records say again; what is wrong with a script is said with its line.
#include <gtest/gtest.h>

#include <string>

#include "../cli/captures.h"
#include "../cli/process.h"

namespace kparse::test {
namespace {

/// Crafts a script; the capture is `out`.
Result craft(const Folder& folder, const std::string& script, const std::string& out = "x.pcapng") {
  write_file(folder / "s.yaml", script);
  return run({"craft", (folder / "s.yaml").string(), (folder / out).string()});
}

std::string ndjson(const Folder& folder, const std::string& command, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {command, "--format", "ndjson", (folder / "x.pcapng").string()});
  const Result r = run(more);
  EXPECT_EQ(r.status, 0) << r.err;
  return r.out;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }
#define EXPECT_HAS(text, part) EXPECT_TRUE(has(text, part)) << part << "\nin\n" << text

std::size_t lines(const std::string& text) { return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')); }

TEST(Craft, RequestAndAnswer) {
  const Folder folder;
  const Result r = craft(folder, R"(
start: 2026-01-02T03:04:05Z
clientId: demo
client: 192.0.2.7:40001
server: 192.0.2.9:9093
steps:
  - request: ApiVersions
    version: 3
    correlationId: 41
    body: {clientSoftwareName: tool, clientSoftwareVersion: '1.2'}
    answer: {apiKeys: [{apiKey: 18, minVersion: 0, maxVersion: 4}]}
    took: 12ms
  - {request: ListGroups, version: 4, clientId: null, body: {statesFilter: [Stable]}}
)");
  ASSERT_EQ(r.status, 0) << r.err;
  const std::string out = ndjson(folder, "dump");
  EXPECT_EQ(lines(out), 3u);
  EXPECT_HAS(out, R"("client":"192.0.2.7:40001","server":"192.0.2.9:9093")");
  EXPECT_HAS(out, R"("correlationId":41,"clientId":"demo")");
  EXPECT_HAS(out, R"("body":{"clientSoftwareName":"tool","clientSoftwareVersion":"1.2"})");
  EXPECT_HAS(out, R"("latencyNs":12000000)");
  EXPECT_HAS(out, R"("apiKeys":[{"apiKey":18,"minVersion":0,"maxVersion":4}])");
  EXPECT_HAS(out, R"("correlationId":42,"clientId":null)");
  EXPECT_HAS(out, R"("body":{"statesFilter":["Stable"]})");
  EXPECT_HAS(out, R"("time":"2026-01-02T03:04:05.)");
}

TEST(Craft, RecordsOfEveryFormat) {
  const Folder folder;
  std::string batches;
  for (const std::string magic : {"0", "1", "2"})
    for (const std::string codec : {"none", "gzip", "snappy", "lz4", "zstd"})
      if (codec != "zstd" || magic == "2")
        batches += "                - {magic: " + magic + ", codec: " + codec + ", baseOffset: 10, records: [{key: k" + magic + codec +
                   ", value: v, timestamp: 1500000000000}, {key: null, value: {hex: ff00}}]}\n";
  const Result r = craft(folder, "steps:\n  - request: Produce\n    version: 7\n    body:\n      acks: 0\n      topicData:\n"
                                 "        - name: t\n          partitionData:\n            - records:\n" + batches);
  ASSERT_EQ(r.status, 0) << r.err;
  const std::string out = ndjson(folder, "records");
  EXPECT_EQ(lines(out), 2u * 13u);
  for (const std::string key : {"k0none", "k0gzip", "k0snappy", "k0lz4", "k1none", "k1gzip", "k1lz4", "k2none", "k2snappy", "k2zstd"})
    EXPECT_HAS(out, "\"key\":\"" + key + "\"");
  EXPECT_HAS(out, R"("value":{"base64":"/wA="})");
  EXPECT_HAS(out, R"("timestamp":1500000000000)");
  EXPECT_FALSE(has(ndjson(folder, "dump"), "\"crcValid\":false"));
}

TEST(Craft, HeadersTransactionsAndControl) {
  const Folder folder;
  const Result r = craft(folder, R"(
steps:
  - request: Fetch
    version: 11
    body: {maxWaitMs: 1, topics: [{topic: t, partitions: [{partition: 3}]}]}
    answer:
      responses:
        - topic: t
          partitions:
            - partitionIndex: 3
              records:
                - {producerId: 7, producerEpoch: 1, baseSequence: 5, transactional: true, baseOffset: 100,
                   records: [{key: a, value: b, headers: [[x, 1], [x, null], ["", z]]}]}
                - {producerId: 7, producerEpoch: 1, transactional: true, control: true, baseOffset: 101,
                   records: [{control: COMMIT, coordinatorEpoch: 4}]}
)");
  ASSERT_EQ(r.status, 0) << r.err;
  const std::string out = ndjson(folder, "records");
  EXPECT_HAS(out, R"("headers":[["x","1"],["x",null],["","z"]])");
  EXPECT_HAS(out, R"("producerId":7,"producerEpoch":1,"transactional":true)");
  EXPECT_HAS(out, R"("sequence":5,"control":null)");
  EXPECT_HAS(out, R"("offset":101,)");
  EXPECT_HAS(out, R"("control":"COMMIT")");
}

TEST(Craft, WrongOnPurpose) {
  const Folder folder;
  const Result r = craft(folder, R"(
steps:
  - request: Produce
    version: 7
    body:
      acks: 1
      topicData:
        - name: t
          partitionData:
            - {index: 0, records: [{crcValid: false, records: [{value: v}]}]}
            - {index: 1, records: [{wrong: {count: 3}, records: [{value: v}]}]}
            - {index: 2, records: {truncate: 5, batches: [{records: [{value: v}]}]}}
)");
  ASSERT_EQ(r.status, 0) << r.err;
  const std::string out = ndjson(folder, "dump");
  EXPECT_HAS(out, R"("crcValid":false)");
  EXPECT_HAS(out, R"("count":3)");
  EXPECT_HAS(out, R"("partial":{"bytes":)");
}

TEST(Craft, RawFramesTokensAndGaps) {
  const Folder folder;
  const Result r = craft(folder, R"(
steps:
  - {request: SaslHandshake, version: 0, body: {mechanism: PLAIN}, answer: {mechanisms: [PLAIN]}}
  - token: "\0alice\0secret"
  - {token: {hex: ""}, from: server}
  - frame: 0012 0000 00000009 0001 63          # ApiVersions v0 of client "c"
  - {frame: {hex: 00000009 0000 00000000}, from: server}
  - request: Metadata
    version: 1
  - gap: 100
  - {request: Heartbeat, version: 0, body: {groupId: g}}
)");
  ASSERT_EQ(r.status, 0) << r.err;
  const std::string out = ndjson(folder, "dump", {"--secrets", "show"});
  EXPECT_HAS(out, R"("kind":"sasl")");
  EXPECT_HAS(out, "AGFsaWNlAHNlY3JldA==");
  EXPECT_HAS(out, R"("api":"ApiVersions","version":0,"correlationId":9,"clientId":"c")");
  EXPECT_HAS(out, R"("kind":"gap")");
  EXPECT_HAS(out, R"("bytes":100)");
  EXPECT_HAS(out, R"("api":"Heartbeat")");
}

TEST(Craft, ConnectionsSideBySideAndPipelining) {
  const Folder folder;
  const Result r = craft(folder, R"(
connections:
  - clientId: one
    steps:
      - {request: Metadata, version: 1, answer: {}, took: 50ms, pipelined: true}
      - {request: Heartbeat, version: 0, body: {groupId: g}, answer: {errorCode: 27}}
  - {clientId: two, begin: 10ms, server: '[2001:db8::9]:9092', steps: [{request: Metadata, version: 1, answer: {}}]}
)");
  ASSERT_EQ(r.status, 0) << r.err;
  const std::string out = ndjson(folder, "frames");
  EXPECT_EQ(lines(out), 6u);
  // The second request of the first connection goes before the first one's answer.
  ASSERT_TRUE(has(out, R"("latencyNs":50000000)"));
  EXPECT_LT(out.find("\"Heartbeat\""), out.find(R"("latencyNs":50000000)"));
  EXPECT_HAS(out, R"("client":"[2001:db8::1]:50001")");
  const std::string report = run({"report", (folder / "x.pcapng").string()}).out;
  EXPECT_HAS(report, "Nothing is missing");
}

TEST(Craft, NestedMessagesAndDefaults) {
  const Folder folder;
  const Result r = craft(folder, R"(
steps:
  - request: JoinGroup
    version: 5
    body:
      groupId: g
      protocolType: consumer
      protocols:
        - {name: range, metadata: {message: ConsumerProtocolSubscription, version: 1, body: {topics: [a, b]}}}
    answer: false
)");
  ASSERT_EQ(r.status, 0) << r.err;
  const std::string out = ndjson(folder, "dump");
  EXPECT_HAS(out, R"("topics":["a","b"])");
  EXPECT_HAS(out, R"("rebalanceTimeoutMs":-1)");   // the schema's default
  EXPECT_HAS(out, R"("groupInstanceId":null)");
}

TEST(Craft, JsonIsYaml) {
  const Folder folder;
  const Result r = craft(folder, "{\"clientId\": \"\\ud83d\\ude00\\u00e9\",\n\t\"steps\": [{\"request\": \"Metadata\", \"version\": 1, \"body\": {\"topics\": [{\"name\": \"a\\/b\"}]}}]}");
  ASSERT_EQ(r.status, 0) << r.err;
  const std::string out = ndjson(folder, "dump");
  EXPECT_HAS(out, "\"clientId\":\"\xf0\x9f\x98\x80\xc3\xa9\"");
  EXPECT_HAS(out, "\"name\":\"a/b\"");
}

TEST(Craft, FaultsHaveTheirLine) {
  struct Fault {
    const char* script;
    int line;
    const char* reason;
  };
  static const Fault faults[] = {
      {"steps: [\n", 2, ""},
      {"clientId: a\nclientId: b\nsteps: []\n", 2, "'clientId' stands there twice"},
      {"steps:\n  - requst: Fetch\n", 2, "a step is one of request, frame"},
      {"steps:\n  - request: Fetsch\n    version: 1\n", 2, "there is no API 'Fetsch'"},
      {"steps:\n  - request: Metadata\n", 2, "'version' is missing: Metadata has 0 to"},
      {"steps:\n  - request: Metadata\n    version: 99\n", 3, "MetadataRequest has no version 99"},
      {"steps:\n  - request: Heartbeat\n    version: 0\n    body:\n      groupid: g\n", 5, "HeartbeatRequest has no field 'groupid': groupId"},
      {"steps:\n  - request: Heartbeat\n    version: 0\n    body:\n      groupId: g\n      generationId: 99999999999\n", 6, "does not fit into int32"},
      {"steps:\n  - request: Heartbeat\n    version: 0\n    body: {groupId: g}\n    answer:\n      throttleTimeMs: 5\n      errorCode: x\n", 7, "errorCode"},
      {"steps:\n  - request: Heartbeat\n    version: 0\n    body:\n      groupId: g\n      groupInstanceId: me\n", 6, "groupInstanceId"},
      {"steps:\n  - frame: 00zz\n", 2, "hex digits are needed"},
      {"steps:\n  - pause: 10 parsecs\n", 2, "a time is needed"},
      {"server: nowhere\nsteps: []\n", 1, "'nowhere' is no address and port"},
      {"start: yesterday\nsteps: []\n", 1, "a time is needed: 2026-01-02T03:04:05Z"},
      {"trouble: {loss: 2}\nsteps: []\n", 1, "from 0 to 1"},
      {"steps: []\nconnections: []\n", 1, "belongs to one of them"},
      {"steps:\n  - request: Produce\n    version: 7\n    body:\n      topicData:\n        - name: t\n          partitionData:\n            - records:\n                - codec: brotli\n", 9, "'brotli' is none of none, gzip"},
      {"steps:\n  - request: Produce\n    version: 7\n    body:\n      topicData:\n        - name: t\n          partitionData:\n            - records:\n                - control: true\n                  records:\n                    - control: COMMIT\n                      offset: 7\n", 12, "offset"},
      {"steps:\n  - request: Produce\n    version: 7\n    body:\n      topicData:\n        - name: t\n          partitionData:\n            - records:\n                - records:\n                    - key: a\n                      coordinatorEpoch: 7\n", 11, "coordinatorEpoch"},
      {"steps:\n  - request: Produce\n    version: 7\n    body:\n      topicData:\n        - name: t\n          partitionData:\n            - records:\n                - {magic: 1, records: [{value: v, headers: [[a, b]]}]}\n", 9, "can't be written: badValue"},
      {"a: &a {x: 1}\nsteps: *a\n", 1, "a script has no 'a'"},
      {"steps:\n  - frame: !!binary \"Met\u00e1ta\"\n", 2, "this is no base64"},
      {"steps: []\n---\nsteps: []\n", 2, "one document is enough"},
      {"clientId:\n% steps:\n  , version: 1\n", 3, "one document is enough"},  // yaml-cpp alone finds documents without end
  };
  for (const Fault& f : faults) {
    const Folder folder;
    const Result r = craft(folder, f.script);
    EXPECT_EQ(r.status, 1) << f.script << r.err;
    EXPECT_HAS(r.err, "s.yaml:" + std::to_string(f.line) + ": ");
    EXPECT_HAS(r.err, f.reason);
    EXPECT_FALSE(fs::exists(folder / "x.pcapng"));
  }
}

TEST(Craft, AliasesThatExplodeAreRefused) {
  const Folder folder;
  std::string script = "steps:\n  - request: Metadata\n    version: 1\n    body:\n      a: &a [1,1,1,1,1,1,1,1,1,1]\n";
  for (char c = 'b'; c < 'm'; ++c) {
    script += std::string("      ") + c + ": &" + c + " [";
    for (int i = 0; i < 10; ++i) script += std::string(i ? ",*" : "*") + static_cast<char>(c - 1);
    script += "]\n";
  }
  const Result r = craft(folder, script);
  EXPECT_EQ(r.status, 1);
  EXPECT_HAS(r.err, "more than");
  EXPECT_LT(r.peak_kib, 4l << 20);
}

TEST(Craft, UsageErrors) {
  EXPECT_EQ(run({"craft"}).status, 2);
  EXPECT_EQ(run({"craft", "a.yaml"}).status, 2);
  EXPECT_EQ(run({"craft", "a.yaml", "x", "-o", "y"}).status, 2);
  EXPECT_EQ(run({"craft", "/nowhere.yaml", "/dev/null"}).status, 3);
}

}  // namespace
}  // namespace kparse::test
