// SPDX-License-Identifier: MIT
// Handshake messages, as far as records can't be opened or conversations named without them.
// Sources: RFC 5246, 7.4; RFC 8446, 4; RFC 6066 (SNI), 7301 (ALPN), 7366 (encrypt-then-MAC), 7627 (extended master
// secret), 5077 (tickets).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kparse/bytes.h"
#include "kparse/key_log.h"

namespace kparse::tls {

inline constexpr std::uint16_t tls12 = 0x0303, tls13 = 0x0304;

enum Message : std::uint8_t {
  hello_request = 0,
  client_hello = 1,
  server_hello = 2,
  new_session_ticket = 4,
  end_of_early_data = 5,
  encrypted_extensions = 8,
  certificate = 11,
  server_key_exchange = 12,
  certificate_request = 13,
  server_hello_done = 14,
  certificate_verify = 15,
  client_key_exchange = 16,
  finished = 20,
  key_update = 24,
};

/// Views point into the message.
struct ClientHello {
  TlsRandom random{};
  Bytes session_id, ticket;
  std::string sni;
  std::string fingerprint;  ///< JA3
  bool early_data = false;
};

struct ServerHello {
  TlsRandom random{};
  std::uint16_t version = 0, suite = 0;
  Bytes session_id;
  std::string alpn;
  bool retry = false;  ///< HelloRetryRequest
  bool psk = false;
  bool encrypt_then_mac = false, extended_master_secret = false;
};

/// Of the message's body. False: cut off or malformed; what was read so far stays.
[[nodiscard]] bool read_client_hello(Bytes body, ClientHello&);
[[nodiscard]] bool read_server_hello(Bytes body, ServerHello&);
/// The protocol in EncryptedExtensions, "" none.
[[nodiscard]] std::string read_encrypted_extensions(Bytes body);
/// Names of the first certificate of a Certificate message: common name, DNS names, addresses; at most 8.
/// `with_context`: as TLS 1.3 has it.
[[nodiscard]] std::vector<std::string> read_certificate(Bytes body, bool with_context);
/// The ticket of a TLS 1.2 NewSessionTicket.
[[nodiscard]] Bytes read_ticket(Bytes body) noexcept;
/// The RSA-encrypted premaster secret of a ClientKeyExchange.
[[nodiscard]] Bytes read_encrypted_premaster(Bytes body) noexcept;
/// "bad_certificate"; "alert 77" for one that isn't known.
[[nodiscard]] std::string alert_text(std::uint8_t description);

}  // namespace kparse::tls
