// SPDX-License-Identifier: MIT
// Conversations that stay closed, and why; what is no TLS; the fingerprint.
#include <gtest/gtest.h>

#include "support.h"

namespace kparse {
namespace {

using test::cat;
using test::log_of;
using test::Peer;
using test::say_hello;
using test::Talk;

TEST(TlsSealedWhy, suites_and_versions_that_are_not_opened) {
  const struct {
    std::uint16_t suite;
    const char* version;
    TlsSealed why;
  } rows[] = {{0x0005, "0303", TlsSealed::badSuite}, {0xc02f, "0302", TlsSealed::badVersion}};
  for (const auto& r : rows) {
    Peer p({.suite = 0xc02f, .tls13 = false});
    KeyLog log = log_of(p.key_log());
    Talk t(log);
    t.send(0, p.client_hello());
    std::string hello = p.server_hello();
    hello.replace(9, 2, test::unhex(r.version));
    hello.replace(9 + 2 + 32 + 1, 2, {static_cast<char>(r.suite >> 8), static_cast<char>(r.suite)});
    t.send(1, hello + Peer::plain(22, Peer::message(14, "")));
    p.traffic_keys(0);
    t.send(0, cat({Peer::change_cipher_spec(), p.finished(0), p.data(0, "ping")}));
    t.finish();
    EXPECT_EQ(t.info().client.why, r.why);
    EXPECT_EQ(t.inner[0], "");
    EXPECT_EQ(t.sealed, 1);
  }
  Peer p({});
  KeyLog log = log_of(p.key_log());
  Talk t(log);
  t.send(0, p.client_hello());
  std::string hello = p.server_hello();
  hello.replace(9 + 2 + 32 + 1, 2, "\x13\x05");  // TLS_AES_128_CCM_8_SHA256
  p.handshake_keys(1);
  t.send(1, hello + p.finished(1));
  p.handshake_keys(0);
  t.send(0, p.finished(0));
  EXPECT_EQ(t.info().server.why, TlsSealed::badSuite);
  EXPECT_EQ(t.sealed, 1);
  EXPECT_EQ(tls_suite_text(t.info().suite), "TLS_AES_128_CCM_8_SHA256");
}

TEST(TlsSealedWhy, a_server_that_does_not_speak_tls) {
  Peer p({});
  KeyLog log = log_of(p.key_log());
  Talk closed(log);
  closed.send(0, p.client_hello());
  closed.finish();
  EXPECT_EQ(closed.info().why(), TlsSealed::noAnswer);
  EXPECT_EQ(closed.sealed, 1);

  Talk text(log);
  text.send(0, p.client_hello());
  text.send(1, "HTTP/1.1 400 Bad Request\r\n");
  EXPECT_EQ(text.sealed, 1);
  text.finish();
  EXPECT_EQ(text.info().why(), TlsSealed::noAnswer);
  EXPECT_EQ(text.sealed, 1);
}

TEST(TlsSealedWhy, only_the_server_hello_was_captured) {
  Peer p({});
  KeyLog log = log_of(p.key_log());
  Talk t(log);
  t.lose(0, 300);
  p.handshake_keys(1);
  t.send(1, p.server_hello() + p.finished(1));
  p.traffic_keys(0);
  t.send(0, p.data(0, "ping"));
  t.finish();
  EXPECT_EQ(t.client, 0);
  EXPECT_EQ(t.info().version, 0x0304);
  EXPECT_EQ(t.info().why(), TlsSealed::noHandshake);
  EXPECT_EQ(t.sealed, 1);
}

TEST(TlsStart, hellos_and_what_is_none) {
  Peer p({});
  const std::string hello = p.client_hello();
  EXPECT_EQ(tls_start(test::bytes(hello)), TlsStart::yes);
  EXPECT_EQ(tls_start(test::bytes(p.server_hello())), TlsStart::yes);
  for (std::size_t n = 0; n < 11; ++n) EXPECT_EQ(tls_start(test::bytes(hello).first(n)), TlsStart::maybe) << n;
  for (const std::string& other :
       {std::string("GET / HTTP/1.1"), test::unhex("0000002c0012000400000001"), test::unhex("1703030020aabbccddee"),
        test::unhex("15030300020228"), test::unhex("16030300040e000000")})
    EXPECT_EQ(tls_start(test::bytes(other)), TlsStart::no) << test::hex(other);
}

TEST(TlsInfo, ja3_leaves_out_grease) {
  // The example of RFC 8448: 771,4865-4867-4866,0-65281-10-35-51-43-13-45-28,29-23-24-25-256-257-258-259-260,
  std::istringstream lines(test::read_data("rfc8448-simple-1rtt.txt"));
  std::string side, record;
  while (side != "client") lines >> side >> record;
  KeyLog log;
  Talk t(log);
  t.send(0, test::unhex(record));
  EXPECT_EQ(t.info().fingerprint,
            test::md5_hex("771,4865-4867-4866,0-65281-10-35-51-43-13-45-28,29-23-24-25-256-257-258-259-260,"));
}

}  // namespace
}  // namespace kparse
