// SPDX-License-Identifier: MIT
// Records of all kinds of suites: what is right opens, what was changed doesn't.
#include <gtest/gtest.h>

#include "support.h"
#include "tls/record_cipher.h"

namespace kparse::tls {
namespace {

using test::Peer;

struct Kind {
  const char* name;
  std::uint16_t suite;
  bool tls13, encrypt_then_mac;
};
void PrintTo(const Kind& k, std::ostream* out) { *out << k.name; }

constexpr Kind kinds[] = {
    {"aes_128_gcm_13", 0x1301, true, false},
    {"aes_256_gcm_13", 0x1302, true, false},
    {"chacha20_13", 0x1303, true, false},
    {"aes_128_gcm_12", 0xc02f, false, false},
    {"aes_256_gcm_12", 0xc030, false, false},
    {"chacha20_12", 0xcca8, false, false},
    {"aes_128_cbc_sha", 0xc013, false, false},
    {"aes_256_cbc_sha", 0xc014, false, false},
    {"aes_128_cbc_sha256", 0xc027, false, false},
    {"aes_256_cbc_sha384", 0xc028, false, false},
    {"aes_128_cbc_sha_etm", 0xc013, false, true},
    {"aes_128_cbc_sha256_etm", 0xc027, false, true},
    {"aes_256_cbc_sha384_etm", 0xc028, false, true},
};

class TlsRecord : public testing::TestWithParam<Kind> {
 protected:
  TlsRecord()
      : peer({.suite = GetParam().suite, .tls13 = GetParam().tls13, .encrypt_then_mac = GetParam().encrypt_then_mac}) {
    peer.traffic_keys(0);
    const Suite& s = *find_suite(GetParam().suite);
    if (s.tls13) {
      const std::string secret = peer.secret("ct", size_of(s.hash));
      EXPECT_TRUE(cipher.set(s, test::bytes(secret)));
      return;
    }
    KeyBlock block;
    const std::string c = peer.client_random(), r = peer.server_random();
    EXPECT_TRUE(block.derive(s, test::bytes(peer.master), test::bytes(c), test::bytes(r)));
    EXPECT_TRUE(cipher.set(s, block.client, GetParam().encrypt_then_mac));
  }
  Opened open(std::uint64_t number, const std::string& record) {
    out.assign(record.size(), 0xee);  // exactly what open() may write to: AddressSanitizer watches
    return cipher.open(number, test::bytes(record), out.data());
  }
  Peer peer;
  RecordCipher cipher;
  std::vector<std::uint8_t> out;
};

TEST_P(TlsRecord, opens) {
  std::uint64_t number = 0;
  for (const std::size_t size : {1u, 15u, 16u, 17u, 31u, 32u, 33u, 255u, 1000u, 16384u}) {
    const std::string content(size, static_cast<char>('a' + size % 7));
    const std::string record = peer.data(0, content);
    const Opened o = open(number, record);
    ASSERT_TRUE(o.ok) << size;
    EXPECT_EQ(o.type, application_data);
    EXPECT_EQ(text(o.content), content);
    EXPECT_GE(record.size(), o.content.size() + cipher.overhead());
    EXPECT_FALSE(open(number + 1, record).ok) << "another number";
    ++number;
  }
}

TEST_P(TlsRecord, no_changed_bit_and_no_shorter_record_opens) {
  const std::string record = peer.data(0, "order 17 is paid");
  for (std::size_t i = 0; i < record.size() * 8; ++i) {
    const bool length = i / 8 == 3 || i / 8 == 4;
    if (length && !GetParam().tls13) continue;  // who cuts the stream into records has used it
    std::string changed = record;
    changed[i / 8] = static_cast<char>(changed[i / 8] ^ 1 << i % 8);
    EXPECT_FALSE(open(0, changed).ok) << "bit " << i;
  }
  for (std::size_t n = 0; n < record.size(); ++n) EXPECT_FALSE(open(0, record.substr(0, n)).ok) << n << " bytes";
  EXPECT_TRUE(open(0, record).ok);
}

INSTANTIATE_TEST_SUITE_P(Kinds, TlsRecord, testing::ValuesIn(kinds),
                         [](const auto& i) { return std::string(i.param.name); });

TEST(TlsRecord13, padding_is_taken_off_and_nothing_but_padding_is_no_record) {
  Peer peer({.padding = 100});
  peer.traffic_keys(0);
  RecordCipher cipher;
  const std::string secret = peer.secret("ct", 32);
  ASSERT_TRUE(cipher.set(*find_suite(0x1301), test::bytes(secret)));
  std::vector<std::uint8_t> out(max_record);
  std::string record = peer.data(0, "x");
  EXPECT_EQ(text(cipher.open(0, test::bytes(record), out.data()).content), "x");
  record = peer.data(0, std::string("x\0\0", 3));  // zeros that belong to the content
  EXPECT_EQ(cipher.open(1, test::bytes(record), out.data()).content.size(), 3u);
  record = peer.seal(0, 0, "");
  EXPECT_FALSE(cipher.open(2, test::bytes(record), out.data()).ok);
}

TEST(TlsRecord13, a_secret_of_another_length_is_refused) {
  RecordCipher cipher;
  const std::string secret(48, 's');
  EXPECT_FALSE(cipher.set(*find_suite(0x1301), test::bytes(secret)));
  EXPECT_TRUE(cipher.set(*find_suite(0x1302), test::bytes(secret)));
  EXPECT_FALSE(cipher.set(*find_suite(0xc02f), test::bytes(secret)));
}

}  // namespace
}  // namespace kparse::tls
