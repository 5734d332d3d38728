// SPDX-License-Identifier: MIT
// Secrets of TLS connections, as clients and servers write them.
// Source: the NSS key log format (SSLKEYLOGFILE; draft-ietf-tls-keylogfile), and what Java agents write.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "kparse/bytes.h"

namespace kparse {

/// At most 48 bytes: a TLS 1.2 master secret, a TLS 1.3 traffic secret. Empty: unknown.
struct TlsSecret {
  std::uint8_t size = 0;
  std::array<std::uint8_t, 48> data{};
  [[nodiscard]] bool known() const noexcept { return size > 0; }
  [[nodiscard]] Bytes view() const noexcept { return {data.data(), size}; }
  friend bool operator==(const TlsSecret&, const TlsSecret&) = default;
};

/// Of one connection; traffic secrets by who sends.
struct TlsSecrets {
  TlsSecret master;
  TlsSecret client_handshake, server_handshake, client_traffic, server_traffic;
};

using TlsRandom = std::array<std::uint8_t, 32>;

/// Lines of NSS key logs, from any number of files and blocks. Not thread-safe. Nothing of it is ever printed.
/// Memory: about 350 bytes a connection, for at most `max_connections`; what is past that is counted and left out.
class KeyLog {
 public:
  enum class Line : std::uint8_t {
    secret,
    known,   ///< the same secret again
    unused,  ///< blank, comment, or a secret that isn't needed
    other,   ///< this connection has another secret under that label: the first one stays
    broken,
    full,  ///< left out: the table is full
  };
  struct Counts {
    std::uint64_t secrets = 0, known = 0, unused = 0, other = 0, broken = 0, left_out = 0;
  };

  explicit KeyLog(std::size_t max_connections = 1u << 20);

  /// One line, with or without its end (LF or CRLF). Hex digits and labels of either case.
  Line add_line(std::string_view) noexcept;
  /// All lines of a text. `broken` (may be empty) is told the number of each broken line, from 1, and what is wrong.
  void add_text(std::string_view, const std::function<void(std::uint64_t, std::string_view)>& broken = {});
  /// Of the last line that was broken.
  [[nodiscard]] std::string_view what_is_wrong() const noexcept { return wrong_; }
  [[nodiscard]] const Counts& counts() const noexcept { return counts_; }
  [[nodiscard]] bool empty() const noexcept { return connections_.empty() && premasters_.empty() && sessions_.empty(); }

  /// nullptr: unknown. The pointer stays as long as the log.
  [[nodiscard]] const TlsSecrets* find(const TlsRandom& client_random) const noexcept;
  /// The premaster secret of a TLS 1.2 connection, by client random or by the first 8 bytes of the encrypted one.
  [[nodiscard]] Bytes premaster(const TlsRandom& client_random) const noexcept;
  [[nodiscard]] Bytes premaster_encrypted(Bytes first_8) const noexcept;
  [[nodiscard]] bool has_premasters() const noexcept { return !premasters_.empty(); }
  /// A master secret that was found otherwise and has proved right.
  void remember_master(const TlsRandom& client_random, const TlsSecret&) noexcept;
  /// TLS 1.2 sessions by session id (at most 32 bytes), or whatever else names them: a resumed one has the master
  /// secret of the first. The newest 65,536 are kept.
  void remember_session(Bytes id, const TlsSecret& master) noexcept;
  [[nodiscard]] const TlsSecret* session(Bytes id) const noexcept;

 private:
  struct Hash {
    std::uint64_t seed;
    std::size_t operator()(const TlsRandom&) const noexcept;
  };
  Line broken(std::string_view why) noexcept;
  Line put(const TlsRandom&, TlsSecret TlsSecrets::*, const TlsSecret&) noexcept;
  Line put_premaster(std::string key, std::string secret) noexcept;
  Line read(std::string_view) noexcept;
  Line session_line(std::string_view) noexcept;

  std::size_t limit_;
  std::unordered_map<TlsRandom, TlsSecrets, Hash> connections_;
  std::unordered_map<std::string, std::string> premasters_;  ///< by 32 bytes of random or 8 of the encrypted one
  std::unordered_map<std::string, TlsSecret> sessions_;
  std::deque<std::string> session_order_;
  Counts counts_;
  std::string_view wrong_;
};

}  // namespace kparse
