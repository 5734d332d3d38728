// SPDX-License-Identifier: MIT
#include "support.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tls/crypto.h"
#include "tls/record_cipher.h"

namespace kparse::test {
namespace {

std::string number(std::uint64_t v, int size) {
  std::string s;
  while (size-- > 0) s += static_cast<char>(v >> 8 * size);
  return s;
}
std::string counted(int size, std::string_view s) { return number(s.size(), size) + std::string(s); }
std::string extension(int type, std::string_view s) {
  return number(static_cast<std::uint64_t>(type), 2) + counted(2, s);
}

std::string hashed(std::string_view s, std::size_t size) {
  unsigned char sum[64];
  unsigned n = 0;
  EVP_Digest(s.data(), s.size(), sum, &n, EVP_sha512(), nullptr);
  return {reinterpret_cast<char*>(sum), size};
}

std::string text_of(const std::uint8_t* at, std::size_t n) { return {reinterpret_cast<const char*>(at), n}; }

const EVP_CIPHER* cipher(const tls::Suite& s) {
  if (s.kind == tls::Suite::Kind::chacha) return EVP_chacha20_poly1305();
  if (s.kind == tls::Suite::Kind::gcm) return s.key == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm();
  return s.key == 16 ? EVP_aes_128_cbc() : EVP_aes_256_cbc();
}
const EVP_MD* digest(tls::Hash h) {
  return h == tls::Hash::sha1 ? EVP_sha1() : h == tls::Hash::sha256 ? EVP_sha256() : EVP_sha384();
}

const unsigned char* u(std::string_view s) { return reinterpret_cast<const unsigned char*>(s.data()); }

std::string aead(const tls::Suite& s, const std::string& key, const std::string& nonce, const std::string& data,
                 std::string_view plain) {
  EVP_CIPHER_CTX* c = EVP_CIPHER_CTX_new();
  std::string out(plain.size() + 16, '\0');
  auto* to = reinterpret_cast<unsigned char*>(out.data());
  int n = 0;
  EVP_EncryptInit_ex(c, cipher(s), nullptr, u(key), u(nonce));
  EVP_EncryptUpdate(c, nullptr, &n, u(data), static_cast<int>(data.size()));
  EVP_EncryptUpdate(c, to, &n, u(plain), static_cast<int>(plain.size()));
  EVP_EncryptFinal_ex(c, to + plain.size(), &n);
  EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_GET_TAG, 16, to + plain.size());
  EVP_CIPHER_CTX_free(c);
  return out;
}

std::string cbc(const tls::Suite& s, const std::string& key, const std::string& iv, const std::string& plain) {
  EVP_CIPHER_CTX* c = EVP_CIPHER_CTX_new();
  std::string out(plain.size() + 16, '\0');
  int n = 0;
  EVP_EncryptInit_ex(c, cipher(s), nullptr, u(key), u(iv));
  EVP_CIPHER_CTX_set_padding(c, 0);
  EVP_EncryptUpdate(c, reinterpret_cast<unsigned char*>(out.data()), &n, u(plain), static_cast<int>(plain.size()));
  EVP_CIPHER_CTX_free(c);
  out.resize(plain.size());
  return out;
}

std::string mac(tls::Hash h, const std::string& key, const std::string& data) {
  unsigned char sum[64];
  unsigned n = 0;
  HMAC(digest(h), key.data(), static_cast<int>(key.size()), u(data), data.size(), sum, &n);
  return text_of(sum, n);
}

}  // namespace

std::string unhex(std::string_view s) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : (c | 32) - 'a' + 10; };
  std::string out;
  for (std::size_t i = 0; i + 1 < s.size(); i += 2) out += static_cast<char>(digit(s[i]) << 4 | digit(s[i + 1]));
  return out;
}

std::string hex(std::string_view s) {
  std::string out;
  for (const unsigned char c : s) {
    out += "0123456789abcdef"[c >> 4];
    out += "0123456789abcdef"[c & 15];
  }
  return out;
}

std::string read_data(const std::string& name) {
  std::ifstream in(KPARSE_SOURCE_DIR "/tests/tls/data/" + name, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

namespace {
std::string digest_hex(const EVP_MD* md, std::string_view s) {
  unsigned char sum[64];
  unsigned n = 0;
  EVP_Digest(s.data(), s.size(), sum, &n, md, nullptr);
  return hex(text_of(sum, n));
}
}  // namespace
std::string sha256_hex(std::string_view s) { return digest_hex(EVP_sha256(), s); }
std::string md5_hex(std::string_view s) { return digest_hex(EVP_md5(), s); }

std::string prf_sha256(const std::string& secret, const std::string& label, const std::string& seed, std::size_t n) {
  std::string a = label + seed, out;
  while (out.size() < n) {
    a = mac(tls::Hash::sha256, secret, a);
    out += mac(tls::Hash::sha256, secret, a + label + seed);
  }
  return out.substr(0, n);
}

void Talk::send(int direction, std::string_view s) {
  const Stamp now{static_cast<std::int64_t>(++packet_ * 1000), packet_, 0};
  decryptor_.data(direction, offsets_[direction], bytes(s), now, now);
  offsets_[direction] += s.size();
}

void Talk::lose(int direction, std::size_t n) {
  const Stamp now{static_cast<std::int64_t>(++packet_ * 1000), packet_, 0};
  decryptor_.gap(direction, offsets_[direction], n, false, now, now);
  offsets_[direction] += n;
}

void Talk::finish() { decryptor_.finish({static_cast<std::int64_t>(++packet_ * 1000), packet_, 0}); }

bool Talk::on_tls_secret_missing(const TlsRandom&) {
  ++asked;
  if (late_log == nullptr) return false;
  late_log->add_text(late_secrets);
  return true;
}

void Talk::on_tls_data(int direction, std::uint64_t offset, Bytes b, Stamp by, Stamp now) {
  EXPECT_EQ(offset, inner_offsets_[direction]);
  inner_offsets_[direction] += b.size();
  inner[direction] += text(b);
  carried += std::to_string(by.packet) + ":" + std::to_string(b.size()) + (by.packet == now.packet ? "; " : " ");
}

void Talk::on_tls_gap(const TlsGap& g, Stamp) {
  EXPECT_EQ(g.offset, inner_offsets_[g.direction]);
  inner_offsets_[g.direction] += g.bytes;
  const char* extent = g.extent == Extent::exact ? "exact" : g.extent == Extent::likely ? "likely" : "unknown";
  const std::string size = g.extent == Extent::unknown ? "?" : std::to_string(g.bytes);
  gaps += std::to_string(g.direction) + " @" + std::to_string(inner[g.direction].size()) + " " + size + " " + extent +
          " wire " + std::to_string(g.wire) + "; ";
}

Peer::Peer(Options o)
    : options(std::move(o)), suite(tls::find_suite(options.suite)), master(hashed("master" + options.seed, 48)) {}

std::string Peer::client_random() const { return hashed("client" + options.seed, 32); }
std::string Peer::server_random() const { return hashed("server" + options.seed, 32); }
std::string Peer::secret(std::string_view label, std::size_t size) const {
  return hashed(std::string(label) + options.seed, size);
}

std::string Peer::plain(std::uint8_t type, std::string_view content) {
  return number(type, 1) + number(0x0303, 2) + counted(2, content);
}
std::string Peer::message(std::uint8_t type, std::string_view body) { return number(type, 1) + counted(3, body); }

std::string Peer::client_hello() const {
  std::string e = extension(0, counted(2, number(0, 1) + counted(2, options.sni)));
  if (options.tls13) e += extension(43, counted(1, number(0x0304, 2)));
  if (!options.ticket.empty()) e += extension(35, options.ticket);
  if (options.early_data) e += extension(42, "");
  std::string body =
      number(0x0303, 2) + client_random() + counted(1, options.session_id) + counted(2, number(options.suite, 2));
  return plain(22, message(1, body + counted(1, number(0, 1)) + counted(2, e)));
}

std::string Peer::retry() const {
  const std::string random = unhex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c");
  return plain(22, message(2, number(0x0303, 2) + random + counted(1, "") + number(options.suite, 2) + number(0, 1) +
                                  counted(2, extension(43, number(0x0304, 2)))));
}

std::string Peer::server_hello() const {
  std::string e;
  if (options.tls13) e += extension(43, number(0x0304, 2));
  if (options.psk) e += extension(41, number(0, 2));
  if (!options.tls13 && !options.alpn.empty()) e += extension(16, counted(2, counted(1, options.alpn)));
  if (options.encrypt_then_mac) e += extension(22, "");
  if (options.extended_master_secret) e += extension(23, "");
  return plain(22, message(2, number(0x0303, 2) + server_random() + counted(1, chosen_session) +
                                  number(options.suite, 2) + number(0, 1) + (e.empty() ? "" : counted(2, e))));
}

std::string Peer::encrypted_extensions() const {
  return counted(2, options.alpn.empty() ? "" : extension(16, counted(2, counted(1, options.alpn))));
}

std::string Peer::ticket_message() const { return number(300, 4) + counted(2, new_ticket); }

std::string Peer::key_log() const {
  const std::string r = " " + hex(client_random()) + " ";
  if (!options.tls13) return "CLIENT_RANDOM" + r + hex(master) + "\n";
  const std::size_t n = tls::size_of(suite->hash);
  return "CLIENT_HANDSHAKE_TRAFFIC_SECRET" + r + hex(secret("ch", n)) + "\nSERVER_HANDSHAKE_TRAFFIC_SECRET" + r +
         hex(secret("sh", n)) + "\nCLIENT_TRAFFIC_SECRET_0" + r + hex(secret("ct", n)) + "\nSERVER_TRAFFIC_SECRET_0" +
         r + hex(secret("st", n)) + "\n";
}

void Peer::set_traffic_secret(int side, std::string traffic) {
  Keys& k = keys_[side];
  k = {};
  k.key.resize(suite->key);
  k.iv.resize(12);
  EXPECT_TRUE(tls::expand_label(suite->hash, bytes(traffic), "key", reinterpret_cast<std::uint8_t*>(k.key.data()),
                                k.key.size()));
  EXPECT_TRUE(tls::expand_label(suite->hash, bytes(traffic), "iv", reinterpret_cast<std::uint8_t*>(k.iv.data()), 12));
  k.secret = std::move(traffic);
}

void Peer::handshake_keys(int side) {
  set_traffic_secret(side, secret(side == 0 ? "ch" : "sh", tls::size_of(suite->hash)));
}

void Peer::traffic_keys(int side) {
  if (options.tls13) return set_traffic_secret(side, secret(side == 0 ? "ct" : "st", tls::size_of(suite->hash)));
  tls::KeyBlock block;
  const std::string c = client_random(), s = server_random();
  EXPECT_TRUE(block.derive(*suite, bytes(master), bytes(c), bytes(s)));
  const auto& part = side == 0 ? block.client : block.server;
  keys_[side] = {"", text_of(part.key.data(), suite->key), text_of(part.iv.data(), 12),
                 text_of(part.mac.data(), tls::size_of(suite->mac)), 0};
}

void Peer::update_keys(int side) {
  std::string next(keys_[side].secret.size(), '\0');
  EXPECT_TRUE(tls::expand_label(suite->hash, bytes(keys_[side].secret), "traffic upd",
                                reinterpret_cast<std::uint8_t*>(next.data()), next.size()));
  set_traffic_secret(side, next);
}

std::string Peer::seal(int side, std::uint8_t type, std::string_view content) {
  Keys& k = keys_[side];
  const std::string count = number(k.number++, 8);
  std::string nonce = k.iv.substr(0, 12);
  if (options.tls13) {
    for (std::size_t i = 0; i < 8; ++i) nonce[4 + i] = static_cast<char>(nonce[4 + i] ^ count[i]);
    const std::string inner = std::string(content) + static_cast<char>(type) + std::string(options.padding, '\0');
    const std::string header = number(23, 1) + number(0x0303, 2) + number(inner.size() + 16, 2);
    return header + aead(*suite, k.key, nonce, header, inner);
  }
  const std::string head = number(type, 1) + number(0x0303, 2), data = count + head + number(content.size(), 2);
  if (suite->kind == tls::Suite::Kind::chacha) {
    for (std::size_t i = 0; i < 8; ++i) nonce[4 + i] = static_cast<char>(nonce[4 + i] ^ count[i]);
    return head + counted(2, aead(*suite, k.key, nonce, data, content));
  }
  if (suite->kind == tls::Suite::Kind::gcm) {
    const std::string own = hashed("nonce" + count, 8);
    return head + counted(2, own + aead(*suite, k.key, k.iv.substr(0, 4) + own, data, content));
  }
  const std::string iv = hashed("iv" + count, 16);
  std::string plain(content);
  if (!options.encrypt_then_mac) plain += mac(suite->mac, k.mac, data + plain);
  const std::size_t padding = 15 - plain.size() % 16;
  plain += std::string(padding + 1, static_cast<char>(padding));
  std::string body = iv + cbc(*suite, k.key, iv, plain);
  if (options.encrypt_then_mac) body += mac(suite->mac, k.mac, count + head + number(body.size(), 2) + body);
  return head + counted(2, body);
}

}  // namespace kparse::test
