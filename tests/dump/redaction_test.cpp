// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "json_check.h"

namespace kparse::test {
namespace {

JsonOptions shown() {
  JsonOptions o;
  o.show_secrets = true;
  return o;
}

bool has(const std::string& json, std::string_view what) { return json.find(what) != std::string::npos; }

TEST(Secrets, TokensAreRedacted) {
  const Blob body = from_hex("00000005 0061006265");
  EXPECT_EQ(dump("SaslAuthenticateRequest", 0, body).json, R"j({"authBytes":"(redacted)"})j");
  EXPECT_EQ(dump("SaslAuthenticateRequest", 0, body, shown()).json, R"({"authBytes":"AGEAYmU="})");
}

TEST(Secrets, NothingIsNothingToHide) {
  EXPECT_EQ(dump("SaslAuthenticateRequest", 0, from_hex("00000000")).json, R"({"authBytes":""})");
  EXPECT_EQ(dump("SaslAuthenticateRequest", 0, from_hex("ffffffff")).json, R"({"authBytes":null})");
}

// DescribeConfigsResponse v1: throttle, results [error, message null, type, name, configs [name, value, readOnly,
// source, isSensitive, synonyms]]
std::string configs(const std::string& name_hex, const std::string& sensitive,
                    const std::string& synonyms = "00000000") {
  return "00000000 00000001 0000 ffff 02 0001 74 00000001 " + name_hex + " 0003 616263 00 05 " + sensitive + " " +
         synonyms;
}

TEST(Secrets, BrokerSaysSoAfterTheValue) {
  const std::string plain = dump("DescribeConfigsResponse", 1, from_hex(configs("0001 78", "00"))).json;
  EXPECT_TRUE(has(plain, R"("value":"abc")"));
  const std::string secret = dump("DescribeConfigsResponse", 1, from_hex(configs("0001 78", "01"))).json;
  EXPECT_TRUE(has(secret, R"j("name":"x","value":"(redacted)","readOnly":false)j")) << secret;
  EXPECT_TRUE(
      has(dump("DescribeConfigsResponse", 1, from_hex(configs("0001 78", "01")), shown()).json, R"("value":"abc")"));
}

TEST(Secrets, ByTheName) {
  // "a.password"
  const std::string json =
      dump("DescribeConfigsResponse", 1, from_hex(configs("000a 612e70617373776f7264", "00"))).json;
  EXPECT_TRUE(has(json, R"j("value":"(redacted)")j"));
  EXPECT_FALSE(has(json, "abc"));
}

TEST(Secrets, LevelsOfLoggersAreNone) {
  // "kafka.server.DelegationTokenManager": of a resource of type BROKER_LOGGER
  const std::string name = "0023 6b61666b612e7365727665722e44656c65676174696f6e546f6b656e4d616e61676572";
  EXPECT_TRUE(has(dump("DescribeConfigsResponse", 1, from_hex(configs(name, "00"))).json, R"("value":"abc")"));
}

TEST(Secrets, SynonymsOfASensitiveConfig) {
  const std::string synonym = "00000001 0001 79 0003 646566 05";
  EXPECT_FALSE(has(dump("DescribeConfigsResponse", 1, from_hex(configs("0001 78", "01", synonym))).json, "def"));
  EXPECT_TRUE(has(dump("DescribeConfigsResponse", 1, from_hex(configs("0001 78", "00", synonym))).json, "def"));
}

TEST(Secrets, HiddenWhenTheAnswerBreaksOffBeforeTheBrokerSaysSo) {
  Blob body = from_hex(configs("0001 78", "00"));
  body.resize(body.size() - 5);  // without isSensitive and synonyms
  const Dumped d = dump("DescribeConfigsResponse", 1, body);
  EXPECT_EQ(d.error.code, Code::truncated);
  EXPECT_FALSE(has(d.json, "abc")) << d.json;
  EXPECT_TRUE(valid_json(d.json));
}

TEST(Secrets, ConfigsOfRequests) {
  // IncrementalAlterConfigs v0: resources [type, name, configs [name "sasl.jaas.config", op, value]], validateOnly
  const std::string json =
      dump("IncrementalAlterConfigsRequest", 0,
           from_hex("00000001 04 0001 31 00000001 0010 7361736c2e6a6161732e636f6e666967 00 0003 616263 00"))
          .json;
  EXPECT_TRUE(has(json, R"j("value":"(redacted)")j")) << json;
}

TEST(Secrets, EnvelopeAroundOne) {
  // Inner AlterUserScramCredentials v0: no deletions, one upsertion with salt 73616c74 and salted password 70617373.
  const std::string inner = "0033 0000 00000001 0001 63 00  01 02 02 75 01 00001000 05 73616c74 05 70617373 00 00";
  const Blob bytes = from_hex(inner);
  char size[8];
  std::snprintf(size, sizeof size, "%02zx", bytes.size() + 1);
  const Blob body = from_hex(std::string(size) + inner + "00 05 7f000001 00");
  const Dumped hidden = dump("EnvelopeRequest", 0, body);
  ASSERT_EQ(hidden.error.code, Code::none) << hidden.json;
  EXPECT_TRUE(has(hidden.json, R"j("requestData":"(redacted)")j")) << hidden.json;
  EXPECT_TRUE(has(hidden.json, R"j("saltedPassword":"(redacted)")j"));
  EXPECT_TRUE(has(hidden.json, R"("clientHostAddress.decoded":"127.0.0.1")"));
  const Dumped open = dump("EnvelopeRequest", 0, body, shown());
  EXPECT_TRUE(has(open.json, R"("saltedPassword":"cGFzcw==")")) << open.json;
  EXPECT_EQ(hidden.facts.inner_api_key, 51);
}

/// Nothing tells what is in such an answer: it may be a token's HMAC.
TEST(Secrets, EnvelopeThatCannotBeRead) {
  const Blob answer = from_hex("0d 00000007 00 00000000 0010 00 0000 00");
  EXPECT_TRUE(has(dump("EnvelopeResponse", 0, answer).json, R"j("responseData":"(redacted)")j"));
  EXPECT_TRUE(has(dump("EnvelopeResponse", 0, answer, shown()).json, R"("responseData":"AAAAB)"));
  const Blob request = from_hex("06 7fff000000 00 05 7f000001 00");
  EXPECT_TRUE(has(dump("EnvelopeRequest", 0, request).json, R"j("requestData":"(redacted)")j"));
}

TEST(Secrets, EnvelopeWithoutDecodedMembers) {
  JsonOptions options;
  options.decoded = false;
  const std::string inner = "0033 0000 00000001 0001 63 00  01 02 02 75 01 00001000 05 73616c74 05 70617373 00 00";
  const std::string json = dump("EnvelopeRequest", 0, from_hex("22" + inner + "00 05 7f000001 00"), options).json;
  EXPECT_TRUE(has(json, R"j("requestData":"(redacted)")j")) << json;
  EXPECT_FALSE(has(json, "decoded")) << json;
}

}  // namespace
}  // namespace kparse::test
