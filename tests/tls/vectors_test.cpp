// SPDX-License-Identifier: MIT
// Key schedules and records against vectors that others published.
#include <gtest/gtest.h>

#include <sstream>

#include "kparse/tls.h"
#include "support.h"
#include "tls/crypto.h"
#include "tls/record_cipher.h"

namespace kparse::tls {
namespace {

using test::unhex;

std::string expand(const std::string& secret, const char* label, std::size_t n) {
  std::string out(n, '\0');
  EXPECT_TRUE(expand_label(Hash::sha256, test::bytes(secret), label, reinterpret_cast<std::uint8_t*>(out.data()), n));
  return out;
}

// RFC 8448, section 3.
TEST(TlsVectors, keys_of_traffic_secrets) {
  const struct {
    const char *secret, *key, *iv;
  } rows[] = {
      {"b67b7d690cc16c4e75e54213cb2d37b4e9c912bcded9105d42befd59d391ad38", "3fce516009c21727d0f2e4e86ee403bc",
       "5d313eb2671276ee13000b30"},
      {"b3eddb126e067f35a780b3abf45e2d8f3b1a950738f52e9600746a0e27a55a21", "dbfaa693d1762c5b666af5d950258d01",
       "5bd3c71b836e0b76bb73265f"},
      {"a11af9f05531f856ad47116b45a950328204b4f44bfb6b3a4b4f1f3fcb631643", "9f02283b6c9c07efc26bb9f2ac92e356",
       "cf782b88dd83549aadf1e984"},
      {"9e40646ce79a7f9dc05af8889bce6552875afa0b06df0087f792ebb7c17504a5", "17422dda596ed5d9acd890e3c63f5051",
       "5b78923dee08579033e523d9"},
  };
  for (const auto& r : rows) {
    EXPECT_EQ(expand(unhex(r.secret), "key", 16), unhex(r.key));
    EXPECT_EQ(expand(unhex(r.secret), "iv", 12), unhex(r.iv));
  }
}

// "TLS 1.2 PRF test vectors" of the IETF's TLS working group: P_SHA256, P_SHA384.
TEST(TlsVectors, prf) {
  const std::string secret = unhex("9bbe436ba940f017b17652849a71db35"),
                    seed = unhex("a0ba9f936cda311827a6f796ffd5198c");
  std::string out(100, '\0');
  ASSERT_TRUE(prf(Hash::sha256, test::bytes(secret), "test label", test::bytes(seed),
                  reinterpret_cast<std::uint8_t*>(out.data()), 100));
  EXPECT_EQ(
      out,
      unhex("e3f229ba727be17b8d122620557cd453c2aab21d07c3d495329b52d4e61edb5a6b301791e90d35c9c9a46b4e14baf9af0fa022f7"
            "077def17abfd3797c0564bab4fbc91666e9def9b97fce34f796789baa48082d122ee42c5a72e5a5110fff70187347b66"));
  const std::string secret384 = unhex("b80b733d6ceefcdc71566ea48e5567df"),
                    seed384 = unhex("cd665cf6a8447dd6ff8b27555edb7465");
  std::string out384(148, '\0');
  ASSERT_TRUE(prf(Hash::sha384, test::bytes(secret384), "test label", test::bytes(seed384),
                  reinterpret_cast<std::uint8_t*>(out384.data()), 148));
  EXPECT_EQ(out384.substr(0, 16), unhex("7b0c18e9ced410ed1804f2cfa34a336a"));
}

TEST(TlsVectors, the_conversation_of_rfc_8448) {
  std::istringstream lines(test::read_data("rfc8448-simple-1rtt.txt"));
  KeyLog log;
  std::vector<std::pair<int, std::string>> records;
  for (std::string side, hex, line; std::getline(lines, line);) {
    std::istringstream words(line);
    words >> side >> hex;
    if (side == "client" || side == "server") {
      records.emplace_back(side == "client" ? 0 : 1, unhex(hex));
    } else {
      EXPECT_NE(log.add_line(line), KeyLog::Line::broken);
    }
  }
  ASSERT_EQ(records.size(), 9u);
  std::string payload;
  for (char c = 0; c < 50; ++c) payload += c;

  test::Talk t(log);
  for (const auto& [side, record] : records) t.send(side, record);
  t.finish();
  EXPECT_EQ(t.inner[0], payload);
  EXPECT_EQ(t.inner[1], payload);
  EXPECT_EQ(t.gaps, "");
  EXPECT_EQ(t.info().version, 0x0304);
  EXPECT_EQ(tls_suite_text(t.info().suite), "TLS_AES_128_GCM_SHA256");
  EXPECT_EQ(t.info().sni, "server");
  EXPECT_EQ(t.info().certificate, std::vector<std::string>{"rsa"});
  EXPECT_EQ(t.info().resumed, false);
  EXPECT_EQ(t.info().client.sealed + t.info().server.sealed, 0u);
}

}  // namespace
}  // namespace kparse::tls
