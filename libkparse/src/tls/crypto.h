// SPDX-License-Identifier: MIT
// OpenSSL's EVP functions as this layer needs them. All cryptography is theirs.
#pragma once

#include <openssl/evp.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "kparse/bytes.h"
#include "tls/suites.h"

namespace kparse::tls {

struct Freed {
  void operator()(EVP_CIPHER_CTX* p) const noexcept { EVP_CIPHER_CTX_free(p); }
  void operator()(EVP_MAC_CTX* p) const noexcept { EVP_MAC_CTX_free(p); }
};
using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, Freed>;
using MacContext = std::unique_ptr<EVP_MAC_CTX, Freed>;

/// Algorithms looked up once: that costs microseconds. Those that this OpenSSL doesn't have are null.
struct Algorithms {
  EVP_CIPHER* gcm128;
  EVP_CIPHER* gcm256;
  EVP_CIPHER* chacha;
  EVP_CIPHER* cbc128;
  EVP_CIPHER* cbc256;
  EVP_MD* sha256;
  EVP_MD* sha384;
  EVP_MD* md5;
  EVP_MAC* hmac;
  EVP_KDF* hkdf;
  EVP_KDF* prf;
};
[[nodiscard]] const Algorithms& algorithms() noexcept;

[[nodiscard]] const char* name_of(Hash) noexcept;

/// HKDF-Expand-Label of RFC 8446, 7.1, with an empty context.
[[nodiscard]] bool expand_label(Hash, Bytes secret, std::string_view label, std::uint8_t* out, std::size_t n) noexcept;
/// PRF of RFC 5246, 5.
[[nodiscard]] bool prf(Hash, Bytes secret, std::string_view label, Bytes seed, std::uint8_t* out,
                       std::size_t n) noexcept;
/// Of SHA-256 or SHA-384; returns its size, 0 on failure. `out`: 48 bytes.
[[nodiscard]] std::size_t digest(Hash, Bytes, std::uint8_t* out) noexcept;
/// 32 hex digits; "" where there is no MD5 (FIPS).
[[nodiscard]] std::string md5_hex(std::string_view);

}  // namespace kparse::tls
