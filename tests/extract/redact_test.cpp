// SPDX-License-Identifier: MIT
// Planted words: after redaction none of them is anywhere in the file, raw or inside of what is compressed.
#include <gtest/gtest.h>

#include <string>

#include "../cli/captures.h"
#include "../cli/process.h"

namespace kparse::test {
namespace {

std::string batches() {
  std::string all;
  for (const std::string magic : {"0", "1", "2"})
    for (const std::string codec : {"none", "gzip", "snappy", "lz4", "zstd"})
      if (codec != "zstd" || magic == "2")
        all += "                - {magic: " + magic + ", codec: " + codec + ", records: [{key: PLANTED-key, value: {text: 'PLANTED-value ', times: 40}}" +
               (magic == "2" ? ", {key: null, value: PLANTED, headers: [[trace, PLANTED-header], [trace, null]]}" : "") + "]}\n";
  return all;
}

std::string script() {
  return R"(
clientId: the-client
steps:
  - {request: SaslHandshake, version: 0, body: {mechanism: PLAIN}, answer: {mechanisms: [PLAIN]}}
  - token: "\0PLANTED-user\0PLANTED-password"
  - {token: {hex: ""}, from: server}
  - request: SaslAuthenticate
    version: 1
    body: {authBytes: {text: PLANTED-token}}
    answer: {authBytes: {text: PLANTED-token}, errorMessage: PLANTED-message}
  - request: IncrementalAlterConfigs
    version: 1
    body: {resources: [{resourceType: 2, resourceName: the-topic, configs: [{name: the.config, value: PLANTED-config}]}]}
    answer: {}
  - request: AlterUserScramCredentials
    version: 0
    body: {upsertions: [{name: the-user, mechanism: 1, iterations: 4096, salt: {text: PLANTED-salt}, saltedPassword: {text: PLANTED-hash}}]}
    answer: {}
  - request: OffsetCommit
    version: 8
    body: {groupId: the-group, topics: [{name: the-topic, partitions: [{partitionIndex: 0, committedMetadata: PLANTED-metadata}]}]}
    answer: {}
  - request: JoinGroup
    version: 5
    body:
      groupId: the-group
      protocolType: consumer
      protocols:
        - {name: range, metadata: {message: ConsumerProtocolSubscription, version: 1, body: {topics: [the-topic], userData: {text: PLANTED-user-data}}}}
        - {name: own, metadata: {text: PLANTED-opaque}}
    answer: {protocolName: range}
  - request: Produce
    version: 7
    body:
      acks: 1
      topicData:
        - name: the-topic
          partitionData:
            - records:
)" + batches() + R"(
            - {index: 1, records: {truncate: 20, batches: [{records: [{value: {text: PLANTED-cut, times: 9}}]}]}}
            - {index: 2, records: {text: PLANTED-no-batch-at-all-but-something-else-altogether-PLANTED-PLANTED-PLANTED-PLANTED}}
            - {index: 3, records: [{crcValid: false, records: [{value: PLANTED-crc}]}]}
            - {index: 4, records: [{wrong: {count: 1, surplus: PLANTED-surplus}, records: [{value: a}, {value: PLANTED-uncounted}]}]}
            - {index: 5, records: [{records: [{key: PLANTED-bad, value: PLANTED-bad, wrong: {keyLength: 5000}}]}]}
            - {index: 6, records: [{codec: gzip, wrong: {attributes: 4}, records: [{value: PLANTED-other-codec}]}]}
            - {index: 7, records: [{wrong: {attributes: 7}, records: [{value: PLANTED-unknown-codec}]}]}
            - {index: 8, records: [{control: true, transactional: true, records: [{control: ABORT}, {key: PLANTED-control, value: PLANTED}]}]}
    answer: {}
  - frame: {text: "\0\x12\0\x63\0\0\0\x05\0\x03ownPLANTED-unknown-version"}
  - request: Fetch
    version: 4
    body: {topics: [{topic: the-topic, partitions: [{partition: 0}]}]}
    answer: {responses: [{topic: the-topic, partitions: [{records: [{draft: kip82-int32, records: [{key: PLANTED-draft, value: PLANTED, headers: [[1, PLANTED]]}]}]}]}]}
)";
}

std::string dump(const fs::path& file) {
  const Result r = run({"dump", "--format", "ndjson", "--secrets", "show", file.string()});
  EXPECT_EQ(r.status, 0) << r.err;
  return r.out;
}
std::size_t count(const std::string& in, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = in.find(what, at)) != in.npos; ++at) ++n;
  return n;
}

struct Redacted : ::testing::TestWithParam<const char*> {
  Folder folder;
  fs::path in = folder / "in.pcapng", out = folder / "out.pcapng";
  std::string extract(const std::vector<std::string>& more = {}) {
    write_file(folder / "s.yaml", script());
    Result r = run({"craft", (folder / "s.yaml").string(), in.string()});
    EXPECT_EQ(r.status, 0) << r.err;
    std::vector<std::string> command = {"extract", "--conversation", "0", GetParam(), in.string(), "-o", out.string()};
    command.insert(command.end() - 3, more.begin(), more.end());
    r = run(command);
    EXPECT_EQ(r.status, 0) << r.err;
    return r.err;
  }
};

TEST_P(Redacted, NothingPlantedIsLeft) {
  const std::string said = extract();
  const std::string before = dump(in), after = dump(out), raw = read_file(out);
  EXPECT_GT(count(before, "PLANTED"), 40u);
  for (const char* word : {"PLANTED", "LANTED-", "-config", "-value "}) {
    EXPECT_EQ(count(after, word), 0u) << word;
    EXPECT_EQ(count(raw, word), 0u) << word;
  }
  EXPECT_NE(said.find("could not be read as records"), std::string::npos) << said;  // it says so
  // base64 of PLANTED at each of three places
  for (const char* word : {"UExBTlRF", "QTEFOVEV", "MQU5URU"}) EXPECT_EQ(count(after, word), 0u) << word;
}

TEST_P(Redacted, WhatStaysStays) {
  extract();
  const std::string before = dump(in), after = dump(out);
  for (const char* part : {"\"kind\":", "\"crcValid\":true", "\"crcValid\":false", "\"codec\":\"zstd\"", "\"codec\":\"gzip\"", "\"magic\":0", "\"keySize\":11",
                           "\"valueSize\":560", "[\"", ",null]", "\"count\":2", "\"acks\":1", "\"control\":\"ABORT\"", "\"partial\":", "\"key\":null"})
    EXPECT_EQ(count(before, part), count(after, part)) << part;
  const bool names = GetParam() == std::string("--redact-names");
  for (const char* name : {"the-topic", "the-group", "the-client", "the-user", "the.config", "10.0.0.9"})
    EXPECT_EQ(count(after, name), names ? 0 : count(before, name)) << name;
  EXPECT_EQ(count(after, "\"protocolType\":\"consumer\""), 1u);
}

TEST_P(Redacted, DraftsWhereTheProfileIsKnown) {
  extract({"--draft-headers", "kip82-int32"});
  const Result r = run({"records", "--format", "ndjson", "--draft-headers", "kip82-int32", "--api", "Fetch", out.string()});
  EXPECT_NE(r.out.find("\"keySize\":13,\"valueSize\":7"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("[1,\"xxxxxxx\",\"client.id\"]"), std::string::npos) << r.out;
}

INSTANTIATE_TEST_SUITE_P(, Redacted, ::testing::Values("--redact", "--redact-names"),
                         [](const auto& i) { return std::string(i.param) == "--redact" ? "Content" : "Names"; });

}  // namespace
}  // namespace kparse::test
