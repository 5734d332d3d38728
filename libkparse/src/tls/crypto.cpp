// SPDX-License-Identifier: MIT
#include "tls/crypto.h"

#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include <cstring>

namespace kparse::tls {
namespace {

struct KdfFreed {
  void operator()(EVP_KDF_CTX* p) const noexcept { EVP_KDF_CTX_free(p); }
};
using KdfContext = std::unique_ptr<EVP_KDF_CTX, KdfFreed>;

OSSL_PARAM octets(const char* name, Bytes b) noexcept {
  return OSSL_PARAM_construct_octet_string(name, const_cast<std::uint8_t*>(b.data()), b.size());
}

}  // namespace

const Algorithms& algorithms() noexcept {
  static const Algorithms all{
      .gcm128 = EVP_CIPHER_fetch(nullptr, "AES-128-GCM", nullptr),
      .gcm256 = EVP_CIPHER_fetch(nullptr, "AES-256-GCM", nullptr),
      .chacha = EVP_CIPHER_fetch(nullptr, "ChaCha20-Poly1305", nullptr),
      .cbc128 = EVP_CIPHER_fetch(nullptr, "AES-128-CBC", nullptr),
      .cbc256 = EVP_CIPHER_fetch(nullptr, "AES-256-CBC", nullptr),
      .sha256 = EVP_MD_fetch(nullptr, "SHA256", nullptr),
      .sha384 = EVP_MD_fetch(nullptr, "SHA384", nullptr),
      .md5 = EVP_MD_fetch(nullptr, "MD5", nullptr),
      .hmac = EVP_MAC_fetch(nullptr, "HMAC", nullptr),
      .hkdf = EVP_KDF_fetch(nullptr, "HKDF", nullptr),
      .prf = EVP_KDF_fetch(nullptr, "TLS1-PRF", nullptr),
  };
  return all;
}

const char* name_of(Hash h) noexcept { return h == Hash::sha1 ? "SHA1" : h == Hash::sha256 ? "SHA256" : "SHA384"; }

bool expand_label(Hash hash, Bytes secret, std::string_view label, std::uint8_t* out, std::size_t n) noexcept {
  std::uint8_t info[64];
  const std::size_t label_size = 6 + label.size();
  if (label_size + 4 > sizeof info) return false;
  info[0] = static_cast<std::uint8_t>(n >> 8);
  info[1] = static_cast<std::uint8_t>(n);
  info[2] = static_cast<std::uint8_t>(label_size);
  std::memcpy(info + 3, "tls13 ", 6);
  std::memcpy(info + 9, label.data(), label.size());
  info[3 + label_size] = 0;
  int mode = EVP_KDF_HKDF_MODE_EXPAND_ONLY;
  const OSSL_PARAM params[] = {
      OSSL_PARAM_construct_int(OSSL_KDF_PARAM_MODE, &mode),
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, const_cast<char*>(name_of(hash)), 0),
      octets(OSSL_KDF_PARAM_KEY, secret),
      octets(OSSL_KDF_PARAM_INFO, {info, label_size + 4}),
      OSSL_PARAM_construct_end(),
  };
  const KdfContext c(algorithms().hkdf != nullptr ? EVP_KDF_CTX_new(algorithms().hkdf) : nullptr);
  return c && EVP_KDF_derive(c.get(), out, n, params) > 0;
}

bool prf(Hash hash, Bytes secret, std::string_view label, Bytes seed, std::uint8_t* out, std::size_t n) noexcept {
  const OSSL_PARAM params[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, const_cast<char*>(name_of(hash)), 0),
      octets(OSSL_KDF_PARAM_SECRET, secret),
      octets(OSSL_KDF_PARAM_SEED, {reinterpret_cast<const std::uint8_t*>(label.data()), label.size()}),
      octets(OSSL_KDF_PARAM_SEED, seed),
      OSSL_PARAM_construct_end(),
  };
  const KdfContext c(algorithms().prf != nullptr ? EVP_KDF_CTX_new(algorithms().prf) : nullptr);
  return c && EVP_KDF_derive(c.get(), out, n, params) > 0;
}

std::size_t digest(Hash hash, Bytes b, std::uint8_t* out) noexcept {
  const EVP_MD* md = hash == Hash::sha384 ? algorithms().sha384 : algorithms().sha256;
  unsigned n = 0;
  return md != nullptr && EVP_Digest(b.data(), b.size(), out, &n, md, nullptr) > 0 ? n : 0;
}

std::string md5_hex(std::string_view s) {
  std::uint8_t out[EVP_MAX_MD_SIZE];
  unsigned n = 0;
  const EVP_MD* md = algorithms().md5;
  if (md == nullptr || EVP_Digest(s.data(), s.size(), out, &n, md, nullptr) <= 0) return {};
  std::string hex;
  for (unsigned i = 0; i < n; ++i) {
    hex += "0123456789abcdef"[out[i] >> 4];
    hex += "0123456789abcdef"[out[i] & 15];
  }
  return hex;
}

}  // namespace kparse::tls
