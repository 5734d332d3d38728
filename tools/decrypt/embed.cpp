// SPDX-License-Identifier: MIT
#include "decrypt/embed.h"

#include <memory>

#include "capture/pcapng_writer.h"
#include "capture/secrets.h"
#include "capture/source.h"
#include "capture/window.h"
#include "output/version.h"

namespace kparse::cli {
namespace {

using Sink = std::function<void(std::string_view)>;

std::string hex(Bytes b) {
  std::string out;
  for (const std::uint8_t v : b) {
    out += "0123456789abcdef"[v >> 4];
    out += "0123456789abcdef"[v & 15];
  }
  return out;
}

/// Blocks as they are. Whoever calls has seen that it is pcapng.
std::string copy_blocks(capture::Window& w, std::string_view lines, const Sink& sink) {
  bool big = false, done = false;
  for (;;) {
    const std::uint8_t* h = w.need(12);
    if (h == nullptr) break;
    const bool section = load_be<std::uint32_t>(h) == 0x0a0d0d0a;
    if (section) big = load_be<std::uint32_t>(h + 8) == 0x1a2b3c4d;
    const auto raw = load_be<std::uint32_t>(h + 4);
    const std::uint32_t length = big ? raw : __builtin_bswap32(raw);
    if (length < 12 || length % 4 != 0 || length > capture::max_packet) break;
    h = w.need(length);
    if (h == nullptr) break;
    sink(text({h, length}));
    w.consume(length);
    if (!section || done) continue;
    done = true;
    if (!lines.empty()) sink(capture::secrets_block(capture::tls_key_log, lines, big));
  }
  return done ? "" : "is not read as pcapng";
}

std::string copy_packets(capture::Source& source, std::string_view lines, const Sink& sink) {
  capture::PcapngWriter to(sink);
  to.section("", std::string("kparse ") + std::string(version()));
  capture::Packet p;
  bool more = source.next(p);
  const std::uint16_t link_type = more ? p.link_type : 1;
  to.interface(link_type, 0);
  to.secrets(capture::tls_key_log, lines);
  for (; more; more = source.next(p)) to.packet(0, p.stamp.time_ns, {p.data}, p.wire_length);
  return "";
}

}  // namespace

std::string key_log_lines(const KeyLog& log, const std::set<TlsRandom>& randoms, const KeyLog& except) {
  static constexpr struct {
    const char* label;
    TlsSecret TlsSecrets::*secret;
  } kinds[] = {
      {"CLIENT_RANDOM", &TlsSecrets::master},
      {"CLIENT_HANDSHAKE_TRAFFIC_SECRET", &TlsSecrets::client_handshake},
      {"SERVER_HANDSHAKE_TRAFFIC_SECRET", &TlsSecrets::server_handshake},
      {"CLIENT_TRAFFIC_SECRET_0", &TlsSecrets::client_traffic},
      {"SERVER_TRAFFIC_SECRET_0", &TlsSecrets::server_traffic},
  };
  std::string lines;
  for (const TlsRandom& r : randoms) {
    const TlsSecrets* s = log.find(r);
    const TlsSecrets* there = except.find(r);
    if (s == nullptr) continue;
    for (const auto& k : kinds) {
      if (const TlsSecret& secret = s->*k.secret; secret.known() && (there == nullptr || there->*k.secret != secret))
        lines += std::string(k.label) + ' ' + hex(r) + ' ' + hex(secret.view()) + '\n';
    }
  }
  return lines;
}

std::string embed_secrets(const std::string& name, std::string_view lines, const Sink& sink) {
  capture::Source source(name, 0);
  if (!source.open()) return source.info().error;
  if (!source.info().format.starts_with("pcapng")) return copy_packets(source, lines, sink);
  capture::RawSource raw(name, nullptr);
  if (std::string why = raw.open(); !why.empty()) return why;
  std::uint8_t head[4];
  std::size_t n = 0;
  for (std::size_t got = 0; n < 4 && (got = raw.read(head + n, 4 - n)) != 0;) n += got;
  raw.unread({head, n});
  const std::unique_ptr<capture::ByteSource> unpacked = capture::unpacker(capture::packing_of({head, n}), raw);
  capture::Window window(unpacked ? *unpacked : raw);
  return copy_blocks(window, lines, sink);
}

}  // namespace kparse::cli
