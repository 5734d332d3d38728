// SPDX-License-Identifier: MIT
// A TLS client and server for tests, and a decryptor that writes down what it hears.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kparse/tls.h"
#include "tls/suites.h"

namespace kparse::test {

[[nodiscard]] std::string unhex(std::string_view);
[[nodiscard]] std::string hex(std::string_view);
[[nodiscard]] inline Bytes bytes(std::string_view s) {
  return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()};
}
/// One after another: unlike the operands of +, these are made in order, and so are their record numbers.
[[nodiscard]] inline std::string cat(std::initializer_list<std::string> parts) {
  std::string all;
  for (const std::string& p : parts) all += p;
  return all;
}
/// A file of tests/tls/data.
[[nodiscard]] std::string read_data(const std::string& name);

/// By OpenSSL's one-call functions.
[[nodiscard]] std::string sha256_hex(std::string_view);
[[nodiscard]] std::string md5_hex(std::string_view);
/// RFC 5246, 5, written out.
[[nodiscard]] std::string prf_sha256(const std::string& secret, const std::string& label, const std::string& seed,
                                     std::size_t n);

/// Feeds a decryptor. Packets are numbered from 1, a packet a call.
class Talk final : public TlsHandler {
 public:
  explicit Talk(KeyLog& log) : decryptor_(log, scratch_, *this) {}

  void send(int direction, std::string_view);
  void lose(int direction, std::size_t bytes);
  void finish();
  [[nodiscard]] const TlsInfo& info() const { return decryptor_.info(); }

  std::string inner[2];
  std::string gaps;     ///< "0 @5 100 likely wire 120; ..."
  std::string carried;  ///< "1:17 2:300; ..." packets and bytes of each record in the order handed on
  int client = -1;
  int sealed = 0;  ///< on_tls_sealed so often
  int asked = 0;
  std::string late_secrets;  ///< given to the log when a secret is missing
  KeyLog* late_log = nullptr;

 private:
  void on_tls_client(int direction) override { client = direction; }
  bool on_tls_secret_missing(const TlsRandom&) override;
  void on_tls_data(int direction, std::uint64_t offset, Bytes, Stamp carried, Stamp now) override;
  void on_tls_gap(const TlsGap&, Stamp) override;
  void on_tls_sealed(Stamp) override { ++sealed; }

  std::uint64_t offsets_[2] = {0, 0}, inner_offsets_[2] = {0, 0};
  std::uint64_t packet_ = 0;
  TlsScratch scratch_;
  TlsDecryptor decryptor_;
};

/// Writes both sides of a connection. 0 is the client. Only what an observer needs is right: keys, records, and the
/// extensions that are looked at.
class Peer {
 public:
  struct Options {
    std::uint16_t suite = 0x1301;
    bool tls13 = true;
    bool encrypt_then_mac = false, extended_master_secret = false;
    std::string seed = "one";                  ///< randoms and secrets are made of it
    std::string session_id = {}, ticket = {};  ///< offered
    bool early_data = false, psk = false;
    std::string alpn = {}, sni = "broker-1.example";
    std::size_t padding = 0;  ///< TLS 1.3
  };
  explicit Peer(Options);

  [[nodiscard]] std::string client_hello() const;
  [[nodiscard]] std::string retry() const;
  [[nodiscard]] std::string server_hello() const;
  /// A plain record.
  [[nodiscard]] static std::string plain(std::uint8_t type, std::string_view content);
  [[nodiscard]] static std::string message(std::uint8_t type, std::string_view body);
  [[nodiscard]] static std::string change_cipher_spec() { return plain(20, "\x01"); }
  /// From now on records of this side have the handshake's (TLS 1.3) or the traffic's keys, and numbers from 0.
  void handshake_keys(int side);
  void traffic_keys(int side);
  void update_keys(int side);
  [[nodiscard]] bool has_keys(int side) const { return !keys_[side].key.empty(); }
  /// The next record of this side.
  std::string seal(int side, std::uint8_t type, std::string_view content);
  std::string data(int side, std::string_view content) { return seal(side, 23, content); }
  std::string finished(int side) { return seal(side, 22, message(20, std::string(tls_hash_size(), 'f'))); }
  /// Everything up to the first data: full handshakes. `say(side, bytes)` for each flight.
  template <class Say>
  void handshake(const Say& say) {
    say(0, client_hello());
    if (options.tls13) {
      handshake_keys(1);
      std::string flight = server_hello() + change_cipher_spec();
      flight += seal(1, 22, message(8, encrypted_extensions()) + message(11, std::string(300, 'c')));
      flight += finished(1);
      say(1, flight);
      traffic_keys(1);
      handshake_keys(0);
      say(0, change_cipher_spec() + finished(0));
      traffic_keys(0);
      return;
    }
    say(1, server_hello() + plain(22, message(11, std::string(300, 'c')) + message(14, "")));
    std::string flight = plain(22, message(16, client_key_exchange)) + change_cipher_spec();
    traffic_keys(0);
    say(0, flight + finished(0));
    flight = plain(22, message(4, ticket_message())) + change_cipher_spec();
    traffic_keys(1);
    say(1, flight + finished(1));
  }
  [[nodiscard]] std::string encrypted_extensions() const;
  [[nodiscard]] std::string ticket_message() const;
  [[nodiscard]] std::string key_log() const;
  [[nodiscard]] std::string client_random() const;
  [[nodiscard]] std::string server_random() const;
  [[nodiscard]] std::string secret(std::string_view label, std::size_t size) const;  ///< of TLS 1.3; "master" of 1.2
  [[nodiscard]] std::size_t tls_hash_size() const { return options.tls13 ? tls::size_of(suite->hash) : 12; }

  Options options;
  const tls::Suite* suite;
  std::string client_key_exchange = std::string("\x00\x04zzzz", 6);
  std::string chosen_session;  ///< by the server
  std::string new_ticket = "a ticket";
  std::string master;  ///< TLS 1.2

 private:
  struct Keys {
    std::string secret, key, iv, mac;
    std::uint64_t number = 0;
  };
  void set_traffic_secret(int side, std::string secret);
  Keys keys_[2];
};

/// The whole handshake, given to a decryptor.
inline void say_hello(Peer& p, Talk& t) {
  p.handshake([&t](int side, const std::string& flight) { t.send(side, flight); });
}

inline KeyLog log_of(const std::string& text) {
  KeyLog log;
  log.add_text(text);
  return log;
}

}  // namespace kparse::test
