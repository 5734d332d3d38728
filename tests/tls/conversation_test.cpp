// SPDX-License-Identifier: MIT
// Whole conversations of both versions, and the odd things that happen in them.
#include <gtest/gtest.h>

#include "support.h"

namespace kparse {
namespace {

using test::cat;
using test::log_of;
using test::Peer;
using test::say_hello;
using test::Talk;

struct Version {
  const char* name;
  std::uint16_t suite;
  bool tls13, encrypt_then_mac;
};
void PrintTo(const Version& v, std::ostream* out) { *out << v.name; }

class TlsConversation : public testing::TestWithParam<Version> {
 protected:
  Peer::Options options() const {
    Peer::Options o;
    o.suite = GetParam().suite;
    o.tls13 = GetParam().tls13;
    o.encrypt_then_mac = GetParam().encrypt_then_mac;
    o.alpn = "kafka";
    return o;
  }
};

TEST_P(TlsConversation, is_opened_and_named) {
  Peer p(options());
  KeyLog log = log_of(p.key_log());
  Talk t(log);
  say_hello(p, t);
  t.send(0, cat({p.data(0, "ping"), p.data(0, "more")}));
  t.send(1, p.data(1, "pong"));
  EXPECT_EQ(t.inner[0], "pingmore");
  EXPECT_EQ(t.inner[1], "pong");
  t.finish();
  EXPECT_EQ(t.client, 0);
  EXPECT_EQ(t.sealed, 0);
  EXPECT_EQ(t.asked, 0);
  EXPECT_EQ(t.gaps, "");
  const TlsInfo& i = t.info();
  EXPECT_EQ(tls_version_text(i.version), GetParam().tls13 ? "TLS 1.3" : "TLS 1.2");
  EXPECT_EQ(i.suite, GetParam().suite);
  EXPECT_EQ(i.sni, "broker-1.example");
  EXPECT_EQ(i.alpn, "kafka");
  EXPECT_EQ(i.resumed, false);
  EXPECT_EQ(i.fingerprint.size(), 32u);
  EXPECT_EQ(i.client.opened, 8u);
  EXPECT_EQ(i.server.opened, 4u);
  EXPECT_EQ(i.client.sealed + i.server.sealed + i.client.failed_records, 0u);
  EXPECT_EQ(i.why(), TlsSealed::no);
}

TEST_P(TlsConversation, byte_by_byte_and_all_at_once_give_the_same) {
  Peer p(options());
  KeyLog log = log_of(p.key_log());
  std::vector<std::pair<int, std::string>> flights;
  p.handshake([&](int side, const std::string& f) { flights.emplace_back(side, f); });
  std::string big(40'000, 'k'), all;
  for (std::size_t at = 0; at < big.size(); at += 16'000) all += p.data(0, big.substr(at, 16'000));
  flights.emplace_back(0, all);
  Talk whole(log), bytes(log);
  for (const auto& [side, f] : flights) {
    whole.send(side, f);
    for (const char c : f) bytes.send(side, {&c, 1});
  }
  EXPECT_EQ(whole.inner[0], big);
  EXPECT_EQ(bytes.inner[0], big);
  whole.finish();
  bytes.finish();
  EXPECT_EQ(whole.gaps + bytes.gaps, "");
}

TEST_P(TlsConversation, a_changed_record_is_lost_bytes_and_the_next_ones_open) {
  Peer p(options());
  KeyLog log = log_of(p.key_log());
  Talk t(log);
  say_hello(p, t);
  t.send(0, p.data(0, "one"));
  std::string two = p.data(0, "two");
  two.back() ^= 1;
  t.send(0, two);
  t.send(0, p.data(0, "three"));
  t.finish();
  EXPECT_EQ(t.inner[0], "onethree");
  EXPECT_NE(t.gaps.find("wire " + std::to_string(two.size())), std::string::npos) << t.gaps;
  EXPECT_EQ(t.info().client.failed_records, 1u);
}

TEST_P(TlsConversation, without_a_secret) {
  Peer p(options());
  KeyLog log = log_of("# nothing\n");
  Talk t(log);
  say_hello(p, t);
  t.send(0, p.data(0, "ping"));
  t.send(1, p.data(1, "pong"));
  EXPECT_EQ(t.sealed, 1);
  t.finish();
  EXPECT_EQ(t.inner[0] + t.inner[1], "");
  EXPECT_EQ(t.info().client.why, TlsSealed::noSecret);
  EXPECT_EQ(t.info().server.why, TlsSealed::noSecret);
  EXPECT_GT(t.info().client.sealed, 20u);
  EXPECT_EQ(t.info().sni, "broker-1.example");
  EXPECT_GT(t.asked, 0);
  EXPECT_EQ(t.sealed, 1);
}

TEST_P(TlsConversation, secrets_that_come_when_asked_for) {
  Peer p(options());
  KeyLog log;
  Talk t(log);
  t.late_log = &log;
  t.late_secrets = p.key_log();
  say_hello(p, t);
  t.send(1, p.data(1, "pong"));
  EXPECT_EQ(t.inner[1], "pong");
  EXPECT_EQ(t.asked, 1);
}

TEST_P(TlsConversation, a_wrong_secret_is_said_and_nothing_comes_out) {
  Peer p(options()), other([this] {
    auto o = options();
    o.seed = "two";
    return o;
  }());
  std::string text = other.key_log();
  const std::string wrong = test::hex(other.client_random()), right = test::hex(p.client_random());
  for (std::size_t at = 0; (at = text.find(wrong, at)) != std::string::npos;) text.replace(at, 64, right);
  KeyLog log = log_of(text);
  Talk t(log);
  say_hello(p, t);
  for (int i = 0; i < 20; ++i) {
    t.send(0, p.data(0, "ping"));
    t.send(1, p.data(1, "pong"));
  }
  t.finish();
  EXPECT_EQ(t.inner[0] + t.inner[1], "");
  EXPECT_EQ(t.info().client.why, TlsSealed::wrongSecret);
  EXPECT_EQ(t.info().server.why, TlsSealed::wrongSecret);
  EXPECT_EQ(t.sealed, 1);
  EXPECT_EQ(t.gaps, "");
}

TEST_P(TlsConversation, every_prefix_is_a_prefix_of_what_was_said) {
  Peer p(options());
  KeyLog log = log_of(p.key_log());
  std::string server;
  std::vector<std::pair<int, std::string>> flights;
  p.handshake([&](int side, const std::string& f) { flights.emplace_back(side, f); });
  flights.emplace_back(1, cat({p.data(1, "one"), p.data(1, "two")}));
  for (const auto& [side, f] : flights)
    if (side == 1) server += f;
  for (std::size_t n = 0; n <= server.size(); n += 3) {
    Talk t(log);
    std::size_t left = n;
    for (const auto& [side, f] : flights) {
      const std::size_t take = side == 0 ? f.size() : std::min(left, f.size());
      t.send(side, f.substr(0, take));
      if (side == 1) left -= take;
    }
    t.finish();
    EXPECT_EQ(t.inner[1], std::string("onetwo").substr(0, t.inner[1].size())) << n;
  }
}

constexpr Version versions[] = {
    {"tls13_aes_128_gcm", 0x1301, true, false},
    {"tls13_aes_256_gcm", 0x1302, true, false},
    {"tls13_chacha20", 0x1303, true, false},
    {"tls12_aes_128_gcm", 0xc02f, false, false},
    {"tls12_chacha20", 0xcca8, false, false},
    {"tls12_aes_128_cbc_sha", 0xc013, false, false},
    {"tls12_aes_256_cbc_sha384_etm", 0xc028, false, true},
};
INSTANTIATE_TEST_SUITE_P(Versions, TlsConversation, testing::ValuesIn(versions),
                         [](const auto& i) { return std::string(i.param.name); });

TEST(Tls13, key_updates_of_both_sides) {
  Peer p({});
  KeyLog log = log_of(p.key_log());
  Talk t(log);
  say_hello(p, t);
  for (int round = 0; round < 5; ++round) {
    for (const int side : {0, 1}) {
      const std::string flight =
          cat({p.data(side, "a"), p.seal(side, 22, Peer::message(24, round % 2 ? "\x01" : std::string_view("\0", 1)))});
      p.update_keys(side);
      t.send(side, flight + p.data(side, "b"));
    }
  }
  EXPECT_EQ(t.inner[0], "ababababab");
  EXPECT_EQ(t.inner[1], "ababababab");
  EXPECT_EQ(t.info().client.key_updates, 5u);
  EXPECT_EQ(t.info().server.key_updates, 5u);
}

TEST(Tls13, hello_retry_request_resumption_and_tickets) {
  Peer p({.psk = true});
  KeyLog log = log_of(p.key_log());
  Talk t(log);
  t.send(0, p.client_hello());
  t.send(1, p.retry() + Peer::change_cipher_spec());
  t.send(0, Peer::change_cipher_spec() + p.client_hello());
  p.handshake_keys(1);
  t.send(1, cat({p.server_hello(), p.seal(1, 22, Peer::message(8, p.encrypted_extensions())), p.finished(1)}));
  p.handshake_keys(0);
  p.traffic_keys(1);
  t.send(1, cat({p.seal(1, 22, Peer::message(4, std::string(500, 't'))),
                 p.data(1, "pong")}));  // before the client's Finished
  t.send(0, p.finished(0));
  p.traffic_keys(0);
  t.send(0, p.data(0, "ping"));
  EXPECT_EQ(t.inner[0], "ping");
  EXPECT_EQ(t.inner[1], "pong");
  EXPECT_EQ(t.info().resumed, true);
}

TEST(Tls13, a_handshake_message_over_many_records_and_a_padded_one) {
  Peer p({.padding = 7});
  KeyLog log = log_of(p.key_log());
  Talk t(log);
  t.send(0, p.client_hello());
  p.handshake_keys(1);
  const std::string flight = Peer::message(8, p.encrypted_extensions()) + Peer::message(11, std::string(90'000, 'c')) +
                             Peer::message(20, std::string(32, 'f'));
  std::string records = p.server_hello();
  for (std::size_t at = 0; at < flight.size(); at += 997) records += p.seal(1, 22, flight.substr(at, 997));
  t.send(1, records);
  p.traffic_keys(1);
  t.send(1, p.data(1, "pong"));
  EXPECT_EQ(t.inner[1], "pong");
}

TEST(Tls13, early_data_is_left_out_accepted_or_not) {
  for (const bool accepted : {true, false}) {
    Peer p({.early_data = true, .psk = true}), early({.seed = "early"});
    early.traffic_keys(0);
    KeyLog log = log_of(p.key_log());
    Talk t(log);
    t.send(0, p.client_hello() + Peer::change_cipher_spec() + early.data(0, "too early"));
    p.handshake_keys(1);
    t.send(1, cat({p.server_hello(), p.seal(1, 22, Peer::message(8, p.encrypted_extensions())), p.finished(1)}));
    if (accepted) t.send(0, cat({early.data(0, "still early"), early.seal(0, 22, Peer::message(5, ""))}));
    p.handshake_keys(0);
    t.send(0, p.finished(0));
    p.traffic_keys(0);
    t.send(0, p.data(0, "ping"));
    t.finish();
    EXPECT_EQ(t.inner[0], "ping");
    EXPECT_GT(t.info().client.early_data, 0u);
    EXPECT_EQ(t.gaps, "");
  }
}

TEST(Tls13, half_a_key_log_opens_one_direction) {
  Peer p({});
  const std::string all = p.key_log();
  std::string client_only;
  std::istringstream lines(all);
  for (std::string l; std::getline(lines, l);)
    if (l.starts_with("CLIENT_")) client_only += l + "\n";
  KeyLog log = log_of(client_only);
  Talk t(log);
  say_hello(p, t);
  t.send(0, p.data(0, "ping"));
  t.send(1, p.data(1, "pong"));
  t.finish();
  EXPECT_EQ(t.inner[0], "ping");
  EXPECT_EQ(t.inner[1], "");
  EXPECT_EQ(t.info().client.why, TlsSealed::no);
  EXPECT_EQ(t.info().server.why, TlsSealed::noSecret);
  EXPECT_EQ(t.sealed, 0);
}

TEST(Tls13, traffic_secrets_alone_suffice) {
  Peer p({});
  std::string traffic;
  std::istringstream lines(p.key_log());
  for (std::string l; std::getline(lines, l);)
    if (l.find("HANDSHAKE") == std::string::npos) traffic += l + "\n";
  KeyLog log = log_of(traffic);
  Talk t(log);
  say_hello(p, t);
  t.send(0, p.data(0, "ping"));
  t.send(1, p.data(1, "pong"));
  t.finish();
  EXPECT_EQ(t.inner[0], "ping");
  EXPECT_EQ(t.inner[1], "pong");
}

TEST(Tls13, alerts_early_and_encrypted) {
  Peer p({});
  KeyLog log = log_of(p.key_log());
  Talk early(log);
  early.send(0, p.client_hello());
  early.send(1, Peer::plain(21, "\x02\x28"));
  early.finish();
  EXPECT_EQ(early.info().alert, "handshake_failure");
  EXPECT_TRUE(early.info().alert_from_server);
  EXPECT_EQ(early.sealed, 1);
  EXPECT_EQ(early.info().why(), TlsSealed::refused);

  Talk late(log);
  say_hello(p, late);
  late.send(0, p.data(0, "ping"));
  late.send(0, p.seal(0, 21, std::string_view("\x01\x00", 2)));  // close_notify is none
  EXPECT_EQ(late.info().alert, "");
  late.send(1, p.seal(1, 21, "\x01\x2a"));  // whatever the level says
  EXPECT_EQ(late.info().alert, "bad_certificate");
  EXPECT_EQ(late.inner[0], "ping");

  Peer q({.seed = "q"});
  KeyLog log_q = log_of(q.key_log());
  Talk plain_alert(log_q);  // of a client that can't use the server's keys
  plain_alert.send(0, q.client_hello());
  q.handshake_keys(1);
  plain_alert.send(1, q.server_hello() + q.finished(1));
  plain_alert.send(0, Peer::plain(21, "\x02\x30"));
  EXPECT_EQ(plain_alert.info().alert, "unknown_ca");
  EXPECT_FALSE(plain_alert.info().alert_from_server);
}

TEST(Tls12, a_resumed_session_needs_no_line_of_its_own) {
  for (const bool by_ticket : {false, true}) {
    Peer first({.suite = 0xc02f, .tls13 = false, .seed = "first"});
    first.chosen_session = by_ticket ? "" : "session 1";
    KeyLog log = log_of(first.key_log());
    Talk a(log);
    say_hello(first, a);
    a.send(0, first.data(0, "ping"));
    EXPECT_EQ(a.inner[0], "ping");

    Peer again({.suite = 0xc02f,
                .tls13 = false,
                .seed = "again",
                .session_id = by_ticket ? "" : "session 1",
                .ticket = by_ticket ? first.new_ticket : ""});
    again.chosen_session = by_ticket ? "" : "session 1";
    again.master = first.master;
    Talk b(log);
    b.send(0, again.client_hello());
    again.traffic_keys(1);
    b.send(1, again.server_hello() + Peer::change_cipher_spec() + again.finished(1));
    again.traffic_keys(0);
    b.send(0, cat({Peer::change_cipher_spec(), again.finished(0), again.data(0, "hello again")}));
    EXPECT_EQ(b.inner[0], "hello again") << by_ticket;
    EXPECT_EQ(b.info().resumed, true);
  }
}

TEST(Tls12, premaster_secrets_with_and_without_extended_master_secret) {
  const std::string premaster(48, 'p');
  for (const bool extended : {false, true}) {
    for (const bool rsa : {false, true}) {
      Peer p({.suite = static_cast<std::uint16_t>(rsa ? 0x009c : 0xc02f),
              .tls13 = false,
              .extended_master_secret = extended});
      p.client_key_exchange =
          rsa ? std::string("\0\x0a", 2) + "encrypted!" : std::string("\x20") + std::string(32, 'k');
      // RFC 5246, 8.1; RFC 7627, 4: over all messages up to the ClientKeyExchange.
      std::string seed = p.client_random() + p.server_random();
      const char* label = "master secret";
      if (extended) {
        label = "extended master secret";
        const std::string messages = p.client_hello().substr(5) + p.server_hello().substr(5) +
                                     Peer::message(11, std::string(300, 'c')) + Peer::message(14, "") +
                                     Peer::message(16, p.client_key_exchange);
        seed = test::unhex(test::sha256_hex(messages));
      }
      p.master = test::prf_sha256(premaster, label, seed, 48);
      KeyLog log = log_of(rsa ? "RSA " + test::hex("encrypte") + " " + test::hex(premaster)
                              : "PMS_CLIENT_RANDOM " + test::hex(p.client_random()) + " " + test::hex(premaster));
      Talk t(log);
      say_hello(p, t);
      t.send(0, p.data(0, "ping"));
      t.send(1, p.data(1, "pong"));
      EXPECT_EQ(t.inner[0] + t.inner[1], "pingpong") << extended << rsa;
    }
  }
}

TEST(Tls12, renegotiation_is_said_to_be_unsupported) {
  Peer p({.suite = 0xc02f, .tls13 = false});
  KeyLog log = log_of(p.key_log());
  Talk t(log);
  say_hello(p, t);
  t.send(0, p.data(0, "ping"));
  t.send(0, p.seal(0, 22, p.client_hello().substr(5)));
  t.send(0, p.seal(0, 20, "\x01"));
  t.send(0, p.data(0, "secret"));
  t.finish();
  EXPECT_EQ(t.inner[0], "ping");
  EXPECT_EQ(t.info().client.why, TlsSealed::renegotiation);
  EXPECT_GT(t.info().client.sealed, 0u);
}

}  // namespace
}  // namespace kparse
