// SPDX-License-Identifier: MIT
// How fast TLS is opened, against what OpenSSL itself does with the same cipher and the same sizes in the same run:
// what `openssl speed -evp` measures.
//   tls_bench                      a table; status 1 if the decryptor has less than 60 % of OpenSSL's speed with AEAD
//   tls_bench --write CAPTURE LOG  a capture of about 100 MB of Kafka inside TLS 1.3, and its key log
#include <openssl/evp.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "support.h"
#include "tls/record_cipher.h"

namespace kparse {
namespace {

constexpr std::size_t total = 100u << 20, content_size = 16384;
constexpr double wanted = 0.6;

struct Counter final : TlsHandler {
  void on_tls_data(int, std::uint64_t, Bytes b, Stamp, Stamp) override { bytes += b.size(); }
  std::uint64_t bytes = 0;
};

/// Processor time: other programs may run as well.
double now() {
  std::timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

/// The best of some runs; `work` returns its seconds.
double seconds_of(auto&& work) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) best = std::min(best, work());
  return best;
}

const EVP_CIPHER* cipher_of(const tls::Suite& s) {
  if (s.kind == tls::Suite::Kind::chacha) return EVP_chacha20_poly1305();
  if (s.kind == tls::Suite::Kind::gcm) return s.key == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm();
  return s.key == 16 ? EVP_aes_128_cbc() : EVP_aes_256_cbc();
}

/// MB/s of EVP_DecryptUpdate on blocks of 16 KiB.
double openssl_speed(const tls::Suite& s) {
  std::vector<std::uint8_t> in(content_size, 7), out(content_size + 64), key(64, 1);
  EVP_CIPHER_CTX* c = EVP_CIPHER_CTX_new();
  EVP_DecryptInit_ex(c, cipher_of(s), nullptr, key.data(), key.data());
  EVP_CIPHER_CTX_set_padding(c, 0);
  const double t = seconds_of([&] {
    const double from = now();
    int n = 0;
    for (std::size_t done = 0; done < total; done += content_size)
      EVP_DecryptUpdate(c, out.data(), &n, in.data(), content_size);
    return now() - from;
  });
  EVP_CIPHER_CTX_free(c);
  return total / t / 1e6;
}

/// MB/s of a TlsDecryptor that is given pieces of this size, out of a window that was just filled, as from a file: what
/// filling it costs is not counted.
double decryptor_speed(test::Peer& peer, const std::vector<std::pair<int, std::string>>& hello,
                       const std::string& stream, std::size_t piece) {
  const double t = seconds_of([&] {
    KeyLog log;
    log.add_text(peer.key_log());
    TlsScratch scratch;
    Counter counter;
    TlsDecryptor d(log, scratch, counter);
    std::uint64_t at[2] = {0, 0}, packet = 0;
    const auto give = [&](int side, std::string_view s) {
      const Stamp now{0, ++packet, 0};
      d.data(side, at[side], test::bytes(s), now, now);
      at[side] += s.size();
    };
    for (const auto& [side, flight] : hello) give(side, flight);
    std::string window;
    double spent = 0;
    for (std::size_t i = 0; i < stream.size(); i += window.size()) {
      window.assign(stream, i, 256u << 10);
      const double from = now();
      for (std::size_t w = 0; w < window.size(); w += piece) give(0, std::string_view(window).substr(w, piece));
      spent += now() - from;
    }
    d.finish({});
    if (counter.bytes != total)
      std::printf("only %llu bytes were opened\n", static_cast<unsigned long long>(counter.bytes));
    return spent;
  });
  return total / t / 1e6;
}

int table() {
  struct {
    const char* name;
    test::Peer::Options options;
  } rows[] = {{"TLS 1.3 AES-128-GCM", {.suite = 0x1301}},
              {"TLS 1.3 AES-256-GCM", {.suite = 0x1302}},
              {"TLS 1.3 ChaCha20-Poly1305", {.suite = 0x1303}},
              {"TLS 1.2 AES-128-GCM", {.suite = 0xc02f, .tls13 = false}},
              {"TLS 1.2 AES-128-CBC-SHA256", {.suite = 0xc027, .tls13 = false}}};
  bool fast = true;
  std::printf("%-28s %14s %22s %22s\n", "", "OpenSSL MB/s", "packets of 64 KiB", "packets of 1448 B");
  for (auto& r : rows) {
    test::Peer peer(r.options);
    std::vector<std::pair<int, std::string>> hello;
    peer.handshake([&](int side, const std::string& f) { hello.emplace_back(side, f); });
    std::string stream;
    stream.reserve(total + total / 100);
    const std::string content(content_size, 'k');
    for (std::size_t done = 0; done < total; done += content_size) stream += peer.data(0, content);
    const double own = openssl_speed(*peer.suite), big = decryptor_speed(peer, hello, stream, 64u << 10),
                 small = decryptor_speed(peer, hello, stream, 1448);
    const bool aead = peer.suite->kind != tls::Suite::Kind::cbc;  // OpenSSL's number for CBC has no MAC in it
    fast = fast && (!aead || std::min(big, small) >= wanted * own);
    std::printf("%-28s %14.0f %14.0f %5.0f %% %14.0f %5.0f %%\n", r.name, own, big, 100 * big / own, small,
                100 * small / own);
  }
  return fast ? 0 : 1;
}

std::string le32(std::uint32_t v) {
  std::string s;
  for (int i = 0; i < 4; ++i) s += static_cast<char>(v >> 8 * i);
  return s;
}
std::string be(std::uint64_t v, int n) {
  std::string s;
  while (n-- > 0) s += static_cast<char>(v >> 8 * n);
  return s;
}

/// Produce v3 with one batch of one record that nobody looks into: its CRC is wrong.
std::string produce(std::uint32_t id) {
  const std::string records = be(0, 8) + be(9000, 4) + be(0, 4) + "\2" + std::string(8995, 'r');
  const std::string body = be(0xffff, 2) + be(1, 2) + be(1000, 4) + be(1, 4) + be(6, 2) + "orders" + be(1, 4) +
                           be(0, 4) + be(records.size(), 4) + records;
  const std::string frame = be(0, 2) + be(3, 2) + be(id, 4) + be(5, 2) + "bench" + body;
  return be(frame.size(), 4) + frame;
}

int write(const char* capture, const char* log_name) {
  test::Peer peer({});
  std::ofstream(log_name) << peer.key_log();
  std::ofstream out(capture, std::ios::binary);
  out << le32(0xa1b2c3d4) << std::string("\2\0\4\0", 4) << le32(0) << le32(0) << le32(262144) << le32(101);
  std::uint32_t next[2] = {1, 1}, packets = 0;
  const auto packet = [&](int side, std::uint8_t flags, std::string_view payload, std::uint32_t seq) {
    std::string ip = be(0x4500, 2) + be(40 + payload.size(), 2) + be(0, 4) + be(0x4006, 2) + be(0, 2);
    ip += be(side == 0 ? 0x0a000001 : 0x0a000002, 4) + be(side == 0 ? 0x0a000002 : 0x0a000001, 4);
    ip += be(side == 0 ? 50000 : 9093, 2) + be(side == 0 ? 9093 : 50000, 2) + be(seq, 4) + be(next[1 - side], 4) +
          be(0x5000 | flags, 2) + be(0xffff, 2) + be(0, 4);
    ++packets;
    out << le32(1'700'000'000 + packets / 100'000) << le32(packets % 100'000 * 10)
        << le32(static_cast<std::uint32_t>(ip.size() + payload.size()))
        << le32(static_cast<std::uint32_t>(ip.size() + payload.size())) << ip << payload;
  };
  const auto say = [&](int side, std::string_view bytes) {
    while (!bytes.empty()) {
      const std::string_view part = bytes.substr(0, 1448);
      packet(side, 0x18, part, next[side]);
      next[side] += static_cast<std::uint32_t>(part.size());
      bytes.remove_prefix(part.size());
    }
  };
  packet(0, 2, "", 0);
  packet(1, 0x12, "", 0);
  peer.handshake([&](int side, const std::string& f) { say(side, f); });
  std::string waiting;
  for (std::uint32_t id = 0; std::uint64_t{id} * 9100 < total; ++id) {
    waiting += produce(id);
    while (waiting.size() >= content_size) {
      say(0, peer.data(0, waiting.substr(0, content_size)));
      waiting.erase(0, content_size);
    }
  }
  return out.good() ? 0 : 1;
}

}  // namespace
}  // namespace kparse

int main(int argc, char** argv) {
  if (argc == 4 && std::string_view(argv[1]) == "--write") return kparse::write(argv[2], argv[3]);
  return kparse::table();
}
