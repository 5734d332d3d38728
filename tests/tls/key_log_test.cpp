// SPDX-License-Identifier: MIT
// Key logs as they are found: draft-ietf-tls-keylogfile, NSS's description, jSSLKeyLog, editors.
#include <gtest/gtest.h>

#include "kparse/key_log.h"
#include "support.h"

namespace kparse {
namespace {

using Line = KeyLog::Line;

const std::string random_a(64, 'a'), random_b(64, 'b'), secret_48(96, '5'), secret_32(64, '3');

TlsRandom random_of(std::uint8_t byte) {
  TlsRandom r;
  r.fill(byte);
  return r;
}

TEST(KeyLog, labels_and_their_lengths) {
  KeyLog log;
  EXPECT_EQ(log.add_line("CLIENT_RANDOM " + random_a + " " + secret_48), Line::secret);
  EXPECT_EQ(log.add_line("CLIENT_HANDSHAKE_TRAFFIC_SECRET " + random_b + " " + secret_32), Line::secret);
  EXPECT_EQ(log.add_line("SERVER_HANDSHAKE_TRAFFIC_SECRET " + random_b + " " + secret_32), Line::secret);
  EXPECT_EQ(log.add_line("CLIENT_TRAFFIC_SECRET_0 " + random_b + " " + secret_48), Line::secret);
  EXPECT_EQ(log.add_line("SERVER_TRAFFIC_SECRET_0 " + random_b + " " + secret_48), Line::secret);
  EXPECT_EQ(log.add_line("EXPORTER_SECRET " + random_b + " " + secret_48), Line::unused);
  EXPECT_EQ(log.add_line("QUIC_CLIENT_TRAFFIC_SECRET_0 " + random_b + " " + secret_48), Line::unused);
  const TlsSecrets* a = log.find(random_of(0xaa));
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->master.size, 48);
  EXPECT_EQ(a->master.data[47], 0x55);
  EXPECT_FALSE(a->client_traffic.known());
  const TlsSecrets* b = log.find(random_of(0xbb));
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(b->client_handshake.size, 32);
  EXPECT_EQ(b->server_traffic.size, 48);
  EXPECT_EQ(log.find(random_of(0xcc)), nullptr);
}

TEST(KeyLog, as_people_and_editors_leave_it) {
  KeyLog log;
  EXPECT_EQ(log.add_line("\xef\xbb\xbf# a byte order mark, a comment\r\n"), Line::unused);
  EXPECT_EQ(log.add_line(""), Line::unused);
  EXPECT_EQ(log.add_line(" \t \r"), Line::unused);
  EXPECT_EQ(log.add_line("  client_random\t" + std::string(64, 'A') + "  " + secret_48 + " \r\n"), Line::secret);
  EXPECT_EQ(log.add_line("CLIENT_RANDOM " + random_a + " " + secret_48), Line::known);
  EXPECT_EQ(log.add_line("CLIENT_RANDOM " + random_a + " " + std::string(96, '6')), Line::other);
  EXPECT_EQ(log.find(random_of(0xaa))->master.data[0], 0x55);
  EXPECT_EQ(log.counts().secrets, 1u);
  EXPECT_EQ(log.counts().known, 1u);
  EXPECT_EQ(log.counts().other, 1u);
}

TEST(KeyLog, broken_lines_are_named_and_the_others_taken) {
  std::string text = "CLIENT_RANDOM " + random_a.substr(2) + " " + secret_48 + "\r\n";  // 1
  text += "CLIENT_RANDOM " + random_a + " " + secret_48.substr(2) + "\n";               // 2
  text += "CLIENT_RANDOM " + random_a + "\n";                                           // 3
  text += "CLIENT_RANDOM " + random_a + " " + std::string(95, '5') + "g\n";             // 4
  text += "\x16\x03\x01 binary\n";                                                      // 5
  text += "CLIENT_RANDOM " + random_a + " " + secret_48 + " more\n";                    // 6
  text += std::string(9000, 'x') + " y z\n";                                            // 7
  text += "SERVER_TRAFFIC_SECRET_0 " + random_a + " " + secret_32.substr(2) + "\n";     // 8
  text += "CLIENT_RANDOM " + random_a + " " + secret_48;  // the last line, without its end
  KeyLog log;
  std::string lines, whats;
  log.add_text(text, [&](std::uint64_t line, std::string_view what) {
    lines += std::to_string(line) + " ";
    whats += what;
  });
  EXPECT_EQ(lines, "1 2 3 4 5 6 7 8 ");
  EXPECT_EQ(whats.find("555"), std::string::npos) << "a secret in a message";
  EXPECT_EQ(log.counts().broken, 8u);
  EXPECT_EQ(log.counts().secrets, 1u);
  EXPECT_NE(log.find(random_of(0xaa)), nullptr);
}

TEST(KeyLog, premasters_and_sessions) {
  KeyLog log;
  EXPECT_EQ(log.add_line("RSA 0102030405060708 " + secret_48), Line::secret);
  EXPECT_EQ(log.add_line("PMS_CLIENT_RANDOM " + random_a + " " + secret_32), Line::secret);
  EXPECT_EQ(log.add_line("RSA Session-ID:0A0B Master-Key:" + secret_48), Line::secret);
  EXPECT_EQ(log.add_line("RSA Session-ID:0a0b Master-Key:" + secret_48), Line::known);
  EXPECT_EQ(log.add_line("RSA Session-ID:0a0b Master-Key:" + secret_32), Line::broken);
  EXPECT_EQ(log.add_line("RSA Session-ID: Master-Key:" + secret_48), Line::broken);
  EXPECT_EQ(log.add_line("RSA 010203 " + secret_48), Line::broken);
  EXPECT_EQ(log.premaster_encrypted(test::bytes("\x01\x02\x03\x04\x05\x06\x07\x08")).size(), 48u);
  EXPECT_EQ(log.premaster(random_of(0xaa)).size(), 32u);
  EXPECT_TRUE(log.premaster(random_of(0xbb)).empty());
  ASSERT_NE(log.session(test::bytes("\x0a\x0b")), nullptr);
  EXPECT_EQ(log.session(test::bytes("\x0a\x0b"))->data[0], 0x55);
}

TEST(KeyLog, bounded) {
  KeyLog log(3);
  const auto line = [](int i) {
    const char digit = static_cast<char>('0' + i);
    return "CLIENT_RANDOM " + std::string(64, digit) + " " + secret_48;
  };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(log.add_line(line(i)), Line::secret);
  EXPECT_EQ(log.add_line(line(3)), Line::full);
  EXPECT_EQ(log.add_line(line(2)), Line::known);
  EXPECT_EQ(log.counts().left_out, 1u);

  TlsSecret master;
  master.size = 48;
  for (std::uint32_t i = 0; i < 70'000; ++i) {
    std::uint8_t id[4];
    std::memcpy(id, &i, 4);
    log.remember_session(id, master);
  }
  const std::uint32_t first = 0, last = 69'999;
  EXPECT_EQ(log.session({reinterpret_cast<const std::uint8_t*>(&first), 4}), nullptr);
  EXPECT_NE(log.session({reinterpret_cast<const std::uint8_t*>(&last), 4}), nullptr);
}

}  // namespace
}  // namespace kparse
