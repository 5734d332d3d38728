// SPDX-License-Identifier: MIT
// Opens records of one direction with one set of keys.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kparse/bytes.h"
#include "tls/crypto.h"
#include "tls/suites.h"

namespace kparse::tls {

inline constexpr std::size_t header_size = 5;
/// RFC 8446, 5.2 and RFC 5246, 6.2.3: 2^14 bytes of content and what protection adds.
inline constexpr std::size_t max_body = 16384 + 2048;
inline constexpr std::size_t max_record = header_size + max_body;

/// Types of content.
enum Content : std::uint8_t { change_cipher_spec = 20, alert = 21, handshake = 22, application_data = 23 };

struct Opened {
  bool ok = false;
  std::uint8_t type = 0;  ///< what is inside
  std::size_t at = 0;     ///< where in the record the ciphertext of its first byte is
  Bytes content;          ///< in the caller's buffer
};

/// What TLS 1.2 derives from a master secret (RFC 5246, 6.3), by who sends.
struct KeyBlock {
  struct Part {
    std::array<std::uint8_t, 48> mac{};
    std::array<std::uint8_t, 32> key{};
    std::array<std::uint8_t, 16> iv{};
  };
  Part client, server;
  [[nodiscard]] bool derive(const Suite&, Bytes master, Bytes client_random, Bytes server_random) noexcept;
};

class RecordCipher {
 public:
  /// TLS 1.3: of a traffic secret. False: the secret's length doesn't fit, or OpenSSL refuses.
  [[nodiscard]] bool set(const Suite&, Bytes traffic_secret) noexcept;
  /// TLS 1.2. `encrypt_then_mac`: RFC 7366, for CBC.
  [[nodiscard]] bool set(const Suite&, const KeyBlock::Part&, bool encrypt_then_mac) noexcept;
  [[nodiscard]] bool ready() const noexcept { return suite_ != nullptr; }
  void clear() noexcept { suite_ = nullptr; }

  /// `record`: header and whole body. `out`: at least record.size() bytes. Not ok: not this key or number.
  [[nodiscard]] Opened open(std::uint64_t number, Bytes record, std::uint8_t* out) noexcept;

  [[nodiscard]] bool aead() const noexcept { return suite_->kind != Suite::Kind::cbc; }
  /// Bytes that a record has besides its content, at least; exactly for AEAD without padding.
  [[nodiscard]] std::size_t overhead() const noexcept;

 private:
  [[nodiscard]] bool set_cipher(const Suite&, const std::uint8_t* key) noexcept;
  [[nodiscard]] Opened open_aead(std::uint64_t number, Bytes record, std::uint8_t* out) noexcept;
  [[nodiscard]] Opened open_cbc(std::uint64_t number, Bytes record, std::uint8_t* out) noexcept;
  [[nodiscard]] bool mac_fits(std::uint64_t number, Bytes header, std::size_t length, Bytes content,
                              Bytes mac) noexcept;

  const Suite* suite_ = nullptr;
  bool encrypt_then_mac_ = false;
  std::array<std::uint8_t, 12> iv_{};
  CipherContext cipher_;
  MacContext mac_;
};

}  // namespace kparse::tls
