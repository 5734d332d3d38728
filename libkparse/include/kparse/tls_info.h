// SPDX-License-Identifier: MIT
// What is known of a TLS conversation: plain data, for whoever names it. kparse/tls.h finds it out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kparse {

/// Why bytes stay encrypted.
enum class TlsSealed : std::uint8_t {
  no,
  noSecret,       ///< no key log has secrets for this connection's client random
  noHandshake,    ///< the start of the handshake was not captured
  noAnswer,       ///< the server didn't answer in TLS: a plain-text port, perhaps
  plainClient,    ///< the client didn't speak TLS: plain text on a TLS port
  badVersion,     ///< neither TLS 1.2 nor 1.3
  badSuite,       ///< a cipher suite that isn't known
  wrongSecret,    ///< there are secrets, but no record opens with them
  lost,           ///< bytes are missing, and where to go on was not found
  renegotiation,  ///< new keys in mid-stream, TLS 1.2: not supported
  refused,        ///< the handshake ended in an alert: there is no inside
};

/// camelCase, as printed in JSON.
[[nodiscard]] std::string_view name_of(TlsSealed) noexcept;
/// For people: "no secret for it in the key log".
[[nodiscard]] std::string_view reason_of(TlsSealed) noexcept;

/// Text of the peer is as it came (any bytes), at most 255 bytes each.
struct TlsInfo {
  std::uint16_t version = 0;    ///< chosen by the server: 0x0303 TLS 1.2, 0x0304 TLS 1.3; 0 unknown
  std::uint16_t suite = 0;      ///< IANA number; means something when version is not 0
  std::string sni;              ///< the name that the client asked for, "" none
  std::string alpn;             ///< chosen by the server, "" none or not seen
  std::string fingerprint;      ///< of the ClientHello: JA3, 32 hex digits; "" no ClientHello seen
  std::optional<bool> resumed;  ///< an earlier session is continued
  std::vector<std::string>
      certificate;  ///< names of the server's: subject's common name, DNS names and addresses; the first few
  std::vector<std::string> client_certificate;
  std::string alert;  ///< the first fatal one: "bad_certificate"
  bool alert_from_server = false;

  struct Flow {                        ///< one direction
    std::uint64_t opened = 0;          ///< bytes of application data, decrypted
    std::uint64_t sealed = 0;          ///< bytes on the wire that may hold application data and were not opened
    TlsSealed why = TlsSealed::no;     ///< the last reason
    std::uint64_t failed_records = 0;  ///< whole records that could not be authenticated
    std::uint64_t found_again = 0;     ///< times that the record number was found again after lost bytes
    std::uint64_t early_data = 0;      ///< bytes of 0-RTT records, left out
    std::uint32_t key_updates = 0;
  };
  Flow client, server;  ///< by sender

  [[nodiscard]] bool opened() const noexcept { return client.opened + server.opened > 0; }
  /// Of the conversation: the first reason there is.
  [[nodiscard]] TlsSealed why() const noexcept { return client.why != TlsSealed::no ? client.why : server.why; }
};

/// "TLS 1.3", "SSL 3.0", "0x7f1c"; "" for 0.
[[nodiscard]] std::string tls_version_text(std::uint16_t);
/// IANA name; "0x1305" for one that isn't known.
[[nodiscard]] std::string tls_suite_text(std::uint16_t);

}  // namespace kparse
