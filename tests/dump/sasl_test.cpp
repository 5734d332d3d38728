// SPDX-License-Identifier: MIT
// Tokens from the RFCs' own examples.
#include <gtest/gtest.h>

#include "json_check.h"
#include "kparse/payload.h"

namespace kparse::test {
namespace {

using namespace std::string_literals;

Bytes view(const std::string& s) { return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()}; }

std::string token(std::string_view mechanism, const std::string& t, bool from_client = true, bool show = false) {
  JsonWriter out;
  (void)write_sasl_token(out, mechanism, view(t), from_client, show);
  return std::string(out.view());
}

TEST(Sasl, Plain) {
  const std::string t = "\0alice\0wonder\0land"s;
  EXPECT_EQ(sasl_user("PLAIN", view(t)), "alice");
  EXPECT_EQ(token("PLAIN", t),
            R"j({"mechanism":"PLAIN","message":"client-first","user":"alice","password":"(redacted)"})j");
  EXPECT_EQ(sasl_user("PLAIN", view("Ursel\0Kurt\0xipj3plmq"s)), "Kurt");  // RFC 4616, section 4
  EXPECT_EQ(sasl_user("PLAIN", view("no zero bytes"s)), "");
}

// RFC 5802, section 5.
TEST(Sasl, Scram) {
  EXPECT_EQ(sasl_user("SCRAM-SHA-256", view("n,,n=user,r=fyko+d2lbbFgONRv9qkxdawL"s)), "user");
  EXPECT_EQ(token("SCRAM-SHA-256", "n,,n=user,r=fyko+d2lbbFgONRv9qkxdawL"),
            R"j({"mechanism":"SCRAM-SHA-256","message":"client-first","user":"user","nonce":"(redacted)"})j");
  EXPECT_EQ(
      token("SCRAM-SHA-256", "r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096", false),
      R"j({"mechanism":"SCRAM-SHA-256","message":"server-first","nonce":"(redacted)","salt":"(redacted)","iterations":"4096"})j");
  EXPECT_EQ(
      token("SCRAM-SHA-256", "c=biws,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts="),
      R"j({"mechanism":"SCRAM-SHA-256","message":"client-final","nonce":"(redacted)","proof":"(redacted)"})j");
  EXPECT_EQ(token("SCRAM-SHA-256", "e=other-error", false),
            R"({"mechanism":"SCRAM-SHA-256","message":"server-final","error":"other-error"})");
  EXPECT_EQ(sasl_user("SCRAM-SHA-512", view("n,,n=a=2Cb=3Dc,r=x"s)), "a,b=c");
}

TEST(Sasl, DelegationTokensNameNoUser) {
  EXPECT_EQ(sasl_user("SCRAM-SHA-256", view("n,,n=tokenid,r=x,tokenauth=true"s)), "");
}

TEST(Sasl, OAuthBearer) {
  // claims {"sub":"bob"}
  const std::string jwt =
      "n,,\x01"
      "auth=Bearer e30.eyJzdWIiOiJib2IifQ.\x01\x01";
  EXPECT_EQ(sasl_user("OAUTHBEARER", view(jwt)), "bob");
  EXPECT_EQ(token("OAUTHBEARER", jwt),
            R"j({"mechanism":"OAUTHBEARER","message":"client-first","user":"bob","token":"(redacted)"})j");
  EXPECT_EQ(sasl_user("OAUTHBEARER", view("n,a=carol,\x01"
                                          "auth=Bearer x\x01\x01"s)),
            "carol");
}

TEST(Sasl, NothingLeaks) {
  for (const char* mechanism : {"PLAIN", "SCRAM-SHA-256", "OAUTHBEARER", "GSSAPI", "OTHER", ""})
    for (const std::string& t : {"\0u\0hunter2"s, "n,,n=u,r=hunter2"s, "c=x,r=hunter2,p=hunter2"s,
                                 "n,,\x01"
                                 "auth=Bearer hunter2\x01\x01"s,
                                 "s=hunter2,r=hunter2"s, "v=hunter2"s})
      for (const bool from_client : {true, false}) {
        if (!from_client && std::string_view(mechanism) == "OAUTHBEARER")
          continue;  // the server's answer is an error text
        EXPECT_EQ(token(mechanism, t, from_client).find("hunter2"), std::string::npos) << mechanism << " " << t;
      }
}

TEST(Sasl, InABody) {
  const Blob body = from_hex("00000005 0061006265");
  const std::string json = dump("SaslAuthenticateRequest", 0, body, {}, {.mechanism = "PLAIN"}).json;
  EXPECT_EQ(
      json,
      R"j({"authBytes":"(redacted)","authBytes.decoded":{"mechanism":"PLAIN","message":"client-first","user":"a","password":"(redacted)"}})j");
}

}  // namespace
}  // namespace kparse::test
