// SPDX-License-Identifier: MIT
#include "streams.h"

#include <openssl/evp.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "capture/secrets.h"

namespace kparse::test {
namespace {

class Opener final : public capture::StreamHandler {
 public:
  Opener(KeyLog& log, std::map<std::uint64_t, Inner>& to) : log_(log), to_(to) {}

  void on_data(capture::Conn& c, int direction, std::uint64_t offset, Bytes b, const Stamp& carried,
               const Stamp& now) override {
    Talk& t = talks_[c.number()];
    if (!t.decryptor) {
      if (t.refused) return;
      if (tls_start(b) != TlsStart::yes) {
        t.refused = true;
        return;
      }
      t.ends[0] = c.sender(0).text();
      t.ends[1] = c.sender(1).text();
      t.inner = &to_[c.number()];
      t.decryptor = std::make_unique<TlsDecryptor>(log_, scratch_, t);
      for (const auto& [d, o, n] : t.early) t.decryptor->gap(d, o, n, false, now, now);
    }
    t.decryptor->data(direction, offset, b, carried, now);
    if (std::uint64_t& first = t.inner->hellos[t.side(direction)]; first == 0) first = carried.packet;
  }
  void on_gap(capture::Conn& c, int direction, std::uint64_t offset, std::uint64_t bytes, bool cut, const Stamp& shown,
              const Stamp& now) override {
    Talk& t = talks_[c.number()];
    if (t.decryptor) return t.decryptor->gap(direction, offset, bytes, cut, shown, now);
    t.early.push_back({direction, offset, bytes});
  }
  void on_end(capture::Conn& c, int direction, const Stamp& at) override {
    if (Talk& t = talks_[c.number()]; t.decryptor) t.decryptor->end(direction, at);
  }
  void on_close(capture::Conn& c, capture::CloseReason, const Stamp& at) override {
    Talk& t = talks_[c.number()];
    if (t.decryptor) {
      t.decryptor->finish(at);
      t.inner->info = t.decryptor->info();
    }
    talks_.erase(c.number());
  }

 private:
  struct Talk final : TlsHandler {
    void on_tls_client(int direction) override {
      client = direction;
      inner->client = ends[direction];
      inner->server = ends[1 - direction];
    }
    void on_tls_data(int direction, std::uint64_t, Bytes b, Stamp carried, Stamp now) override {
      const int s = side(direction);
      inner->bytes[s] += text(b);
      if (inner->steps[s].empty() || inner->steps[s].back().now != now.packet)
        inner->steps[s].push_back({now.packet, 0, {}});
      inner->steps[s].back().bytes += b.size();
      inner->steps[s].back().packets.push_back(carried.packet);
    }
    void on_tls_gap(const TlsGap& g, Stamp) override {
      const int s = side(g.direction);
      inner->holes[s].push_back({inner->bytes[s].size(), g});
    }
    void on_tls_sealed(Stamp) override { inner->sealed_told = true; }
    [[nodiscard]] int side(int direction) const { return direction == client ? 0 : 1; }

    Inner* inner = nullptr;
    int client = 0;
    std::string ends[2];
    struct Early {
      int direction;
      std::uint64_t offset, bytes;
    };
    std::vector<Early> early;
    bool refused = false;
    std::unique_ptr<TlsDecryptor> decryptor;
  };

  KeyLog& log_;
  std::map<std::uint64_t, Inner>& to_;
  TlsScratch scratch_;
  std::map<std::uint64_t, Talk> talks_;
};

}  // namespace

std::map<std::uint64_t, Inner> open_capture(const std::string& file, KeyLog& log, const Drop& drop) {
  for (const capture::Secret& s : capture::read_secrets(file)) log.add_text(s.data);
  std::map<std::uint64_t, Inner> all;
  Opener opener(log, all);
  capture::Timeline timeline({file});
  timeline.open();
  capture::Decoder decoder;
  capture::TcpTable tcp(opener);
  capture::Segment segment;
  while (const capture::Packet* p = timeline.next()) {
    if (decoder.decode(*p, segment) != capture::Decoded::tcp) continue;
    if (!segment.payload.empty() && drop && drop(p->stamp.packet)) continue;
    tcp.add(segment, p->stamp);
  }
  tcp.finish();
  return all;
}

std::string shared_folder() {
  const char* from_environment = std::getenv("KPARSE_SHARED");
  return from_environment != nullptr ? from_environment : KPARSE_SOURCE_DIR "/../shared";
}

std::string read_text(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string sha256(const std::string& bytes) {
  unsigned char sum[EVP_MAX_MD_SIZE];
  unsigned n = 0;
  EVP_Digest(bytes.data(), bytes.size(), sum, &n, EVP_sha256(), nullptr);
  std::string hex;
  for (unsigned i = 0; i < n; ++i) {
    hex += "0123456789abcdef"[sum[i] >> 4];
    hex += "0123456789abcdef"[sum[i] & 15];
  }
  return hex;
}

}  // namespace kparse::test
