// SPDX-License-Identifier: MIT
#include "tls/record_cipher.h"

#include <openssl/core_names.h>
#include <openssl/params.h>

#include <algorithm>
#include <cstring>

namespace kparse::tls {
namespace {

constexpr std::size_t tag_size = 16, block = 16, explicit_nonce = 8;

void store(std::uint64_t v, std::uint8_t* at) noexcept {
  for (int i = 7; i >= 0; --i, v >>= 8) at[i] = static_cast<std::uint8_t>(v);
}

const EVP_CIPHER* cipher_of(const Suite& s) noexcept {
  const Algorithms& a = algorithms();
  switch (s.kind) {
    case Suite::Kind::gcm:
      return s.key == 16 ? a.gcm128 : a.gcm256;
    case Suite::Kind::chacha:
      return a.chacha;
    case Suite::Kind::cbc:
      return s.key == 16 ? a.cbc128 : a.cbc256;
  }
  return nullptr;
}

}  // namespace

bool KeyBlock::derive(const Suite& s, Bytes master, Bytes client_random, Bytes server_random) noexcept {
  const bool cbc = s.kind == Suite::Kind::cbc;
  const std::size_t mac = cbc ? size_of(s.mac) : 0, iv = s.kind == Suite::Kind::chacha ? 12 : cbc ? 0 : 4;
  std::uint8_t seed[64], out[2 * (48 + 32 + 12)];
  if (client_random.size() != 32 || server_random.size() != 32) return false;
  std::memcpy(seed, server_random.data(), 32);
  std::memcpy(seed + 32, client_random.data(), 32);
  if (!prf(s.hash, master, "key expansion", seed, out, 2 * (mac + s.key + iv))) return false;
  const std::uint8_t* at = out;
  const auto take = [&at](std::uint8_t* to, std::size_t n) {
    std::memcpy(to, at, n);
    at += n;
  };
  take(client.mac.data(), mac);
  take(server.mac.data(), mac);
  take(client.key.data(), s.key);
  take(server.key.data(), s.key);
  take(client.iv.data(), iv);
  take(server.iv.data(), iv);
  return true;
}

bool RecordCipher::set_cipher(const Suite& s, const std::uint8_t* key) noexcept {
  suite_ = nullptr;
  const EVP_CIPHER* c = cipher_of(s);
  if (c == nullptr) return false;
  if (!cipher_) cipher_.reset(EVP_CIPHER_CTX_new());
  if (!cipher_ || EVP_DecryptInit_ex2(cipher_.get(), c, key, nullptr, nullptr) <= 0) return false;
  if (s.kind == Suite::Kind::cbc) EVP_CIPHER_CTX_set_padding(cipher_.get(), 0);
  return true;
}

bool RecordCipher::set(const Suite& s, Bytes secret) noexcept {
  std::uint8_t key[32];
  suite_ = nullptr;
  if (!s.tls13 || secret.size() != size_of(s.hash) || !expand_label(s.hash, secret, "key", key, s.key) ||
      !expand_label(s.hash, secret, "iv", iv_.data(), iv_.size()) || !set_cipher(s, key))
    return false;
  suite_ = &s;
  return true;
}

bool RecordCipher::set(const Suite& s, const KeyBlock::Part& k, bool encrypt_then_mac) noexcept {
  suite_ = nullptr;
  if (s.tls13 || !set_cipher(s, k.key.data())) return false;
  encrypt_then_mac_ = encrypt_then_mac;
  std::memcpy(iv_.data(), k.iv.data(), iv_.size());
  if (s.kind == Suite::Kind::cbc) {
    if (algorithms().hmac == nullptr) return false;
    mac_.reset(EVP_MAC_CTX_new(algorithms().hmac));
    const OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, const_cast<char*>(name_of(s.mac)), 0),
        OSSL_PARAM_construct_end()};
    if (!mac_ || EVP_MAC_init(mac_.get(), k.mac.data(), size_of(s.mac), params) <= 0) return false;
  }
  suite_ = &s;
  return true;
}

std::size_t RecordCipher::overhead() const noexcept {
  if (suite_->tls13) return header_size + 1 + tag_size;
  switch (suite_->kind) {
    case Suite::Kind::gcm:
      return header_size + explicit_nonce + tag_size;
    case Suite::Kind::chacha:
      return header_size + tag_size;
    case Suite::Kind::cbc:
      break;
  }
  return header_size + block + size_of(suite_->mac) + 1;
}

Opened RecordCipher::open(std::uint64_t number, Bytes record, std::uint8_t* out) noexcept {
  if (suite_ == nullptr || record.size() <= header_size) return {};
  return suite_->kind == Suite::Kind::cbc ? open_cbc(number, record, out) : open_aead(number, record, out);
}

/// RFC 8446, 5.2 and 5.3; RFC 5288; RFC 7905.
Opened RecordCipher::open_aead(std::uint64_t number, Bytes record, std::uint8_t* out) noexcept {
  const bool in_record = !suite_->tls13 && suite_->kind == Suite::Kind::gcm;
  const std::size_t at = header_size + (in_record ? explicit_nonce : 0);
  if (record.size() < at + tag_size) return {};
  const std::size_t n = record.size() - at - tag_size;

  std::uint8_t nonce[12];
  std::memcpy(nonce, iv_.data(), sizeof nonce);
  std::uint8_t count[8];
  store(number, count);
  if (in_record) {
    std::memcpy(nonce + 4, record.data() + header_size, explicit_nonce);
  } else {
    for (int i = 0; i < 8; ++i) nonce[4 + i] ^= count[i];
  }

  std::uint8_t data[13];
  std::size_t data_size = header_size;
  if (suite_->tls13) {
    std::memcpy(data, record.data(), header_size);
  } else {
    std::memcpy(data, count, 8);
    std::memcpy(data + 8, record.data(), 3);
    data[11] = static_cast<std::uint8_t>(n >> 8);
    data[12] = static_cast<std::uint8_t>(n);
    data_size = sizeof data;
  }

  EVP_CIPHER_CTX* const c = cipher_.get();
  int done = 0;
  if (EVP_DecryptInit_ex2(c, nullptr, nullptr, nonce, nullptr) <= 0 ||
      EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_TAG, tag_size, const_cast<std::uint8_t*>(record.data() + at + n)) <= 0 ||
      EVP_DecryptUpdate(c, nullptr, &done, data, static_cast<int>(data_size)) <= 0 ||
      EVP_DecryptUpdate(c, out, &done, record.data() + at, static_cast<int>(n)) <= 0)
    return {};
  int rest = 0;
  if (EVP_DecryptFinal_ex(c, out + n, &rest) <= 0) return {};

  if (!suite_->tls13) return {true, record[0], at, {out, n}};
  std::size_t end = n;  // padding: zeros behind the type
  while (end > 0 && out[end - 1] == 0) --end;
  if (end == 0) return {};
  return {true, out[end - 1], at, {out, end - 1}};
}

/// The MAC's input begins like AEAD's additional data: number, type, version, length.
bool RecordCipher::mac_fits(std::uint64_t number, Bytes header, std::size_t length, Bytes content, Bytes mac) noexcept {
  std::uint8_t data[13], sum[EVP_MAX_MD_SIZE];
  store(number, data);
  std::memcpy(data + 8, header.data(), 3);
  data[11] = static_cast<std::uint8_t>(length >> 8);
  data[12] = static_cast<std::uint8_t>(length);
  std::size_t n = 0;
  EVP_MAC_CTX* const m = mac_.get();
  return EVP_MAC_init(m, nullptr, 0, nullptr) > 0 && EVP_MAC_update(m, data, sizeof data) > 0 &&
         EVP_MAC_update(m, content.data(), content.size()) > 0 && EVP_MAC_final(m, sum, &n, sizeof sum) > 0 &&
         n == mac.size() && std::memcmp(sum, mac.data(), n) == 0;
}

/// RFC 5246, 6.2.3.2; RFC 7366.
Opened RecordCipher::open_cbc(std::uint64_t number, Bytes record, std::uint8_t* out) noexcept {
  const std::size_t mac_size = size_of(suite_->mac);
  const Bytes header = record.first(header_size);
  Bytes body = record.subspan(header_size);
  if (encrypt_then_mac_) {
    if (body.size() < mac_size + 2 * block) return {};
    const Bytes sealed = body.first(body.size() - mac_size);
    if (!mac_fits(number, header, sealed.size(), sealed, body.subspan(sealed.size()))) return {};
    body = sealed;
  }
  if (body.size() < 2 * block || body.size() % block != 0) return {};
  const Bytes sealed = body.subspan(block);
  int done = 0;
  if (EVP_DecryptInit_ex2(cipher_.get(), nullptr, nullptr, body.data(), nullptr) <= 0 ||
      EVP_DecryptUpdate(cipher_.get(), out, &done, sealed.data(), static_cast<int>(sealed.size())) <= 0)
    return {};
  std::size_t n = sealed.size();
  const std::size_t padding = out[n - 1];
  const std::size_t mac_inside = encrypt_then_mac_ ? 0 : mac_size;
  if (padding + 1 + mac_inside > n) return {};
  if (!std::all_of(out + n - 1 - padding, out + n, [padding](std::uint8_t b) { return b == padding; })) return {};
  n -= padding + 1 + mac_inside;
  if (!encrypt_then_mac_ && !mac_fits(number, header, n, {out, n}, {out + n, mac_size})) return {};
  return {true, record[0], header_size + block, {out, n}};
}

}  // namespace kparse::tls
