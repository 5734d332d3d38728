// SPDX-License-Identifier: MIT
#include "decrypt/packets.h"

#include <algorithm>
#include <array>

namespace kparse::cli {
namespace {

constexpr std::uint8_t fin = 1, syn = 2, psh = 8, ack = 16;
constexpr std::size_t most = 32u << 10, tcp_size = 20;

class Header {
 public:
  Header& put(std::uint64_t v, int bytes) {
    for (int i = bytes - 1; i >= 0; --i) bytes_[size_++] = static_cast<std::uint8_t>(v >> 8 * i);
    return *this;
  }
  Header& put(const capture::Endpoint& e) {
    for (int i = 0; i < (e.v6 ? 16 : 4); ++i) bytes_[size_++] = e.ip[static_cast<std::size_t>(i)];
    return *this;
  }
  void set16(std::size_t at, std::uint16_t v) {
    bytes_[at] = static_cast<std::uint8_t>(v >> 8);
    bytes_[at + 1] = static_cast<std::uint8_t>(v);
  }
  [[nodiscard]] Bytes view() const { return {bytes_.data(), size_}; }

 private:
  std::array<std::uint8_t, 40> bytes_{};
  std::size_t size_ = 0;
};

/// RFC 1071, not yet folded. `b` begins at an even place.
std::uint64_t sum(Bytes b) {
  std::uint64_t s = 0;
  std::size_t i = 0;
  for (; i + 1 < b.size(); i += 2) s += static_cast<std::uint64_t>(b[i] << 8 | b[i + 1]);
  return i < b.size() ? s + static_cast<std::uint64_t>(b[i] << 8) : s;
}

std::uint16_t checksum(std::uint64_t s) {
  while (s >> 16 != 0) s = (s & 0xffff) + (s >> 16);
  return static_cast<std::uint16_t>(~s);
}

}  // namespace

void PacketWriter::write(const OpenedConnection& c, bool from_client, std::uint8_t flags, Bytes payload,
                         std::int64_t time_ns) {
  Sides& sides = sides_[c.number];
  Side& own = from_client ? sides.client : sides.server;
  const Side& other = from_client ? sides.server : sides.client;
  const capture::Endpoint &from = from_client ? c.client : c.server, &to = from_client ? c.server : c.client;
  const bool acknowledges = (flags & ack) != 0;
  const std::size_t length = tcp_size + payload.size();

  Header tcp;
  tcp.put(from.port, 2).put(to.port, 2).put(own.next, 4).put(acknowledges ? other.next : 0, 4);
  tcp.put(tcp_size / 4 << 4, 1).put(flags, 1).put(0xffff, 2).put(0, 4);
  Header addresses;
  addresses.put(from).put(to);
  tcp.set16(16, checksum(sum(addresses.view()) + 6 + length + sum(tcp.view()) + sum(payload)));

  Header ip;
  if (from.v6) {
    ip.put(0x60000000, 4).put(length, 2).put(6, 1).put(64, 1);
  } else {
    ip.put(0x4500, 2).put(20 + length, 2).put(0, 2).put(0x4000, 2).put(64, 1).put(6, 1).put(0, 2);
  }
  ip.put(from).put(to);
  if (!from.v6) ip.set16(10, checksum(sum(ip.view())));
  to_.packet(0, time_ns, {ip.view(), tcp.view(), payload});
  last_time_ = time_ns;
  own.next += static_cast<std::uint32_t>(payload.size()) + ((flags & (syn | fin)) != 0 ? 1 : 0);
}

void PacketWriter::signal(const OpenedConnection& c, bool from_client, std::uint8_t flags, std::int64_t time_ns) {
  write(c, from_client, flags, {}, std::max(time_ns, last_time_));
}

void PacketWriter::flush() {
  if (waiting_.empty()) return;
  write(waiting_of_, waiting_from_client_, psh | ack, waiting_, waiting_time_);
  waiting_.clear();
}

void PacketWriter::begin(const OpenedConnection& c, Stamp at) {
  flush();
  signal(c, true, syn, at.time_ns);
  signal(c, false, syn | ack, at.time_ns);
  signal(c, true, ack, at.time_ns);
}

void PacketWriter::data(const OpenedConnection& c, bool from_client, std::uint64_t, Bytes b, Stamp now) {
  const bool same = !waiting_.empty() && waiting_of_.number == c.number && waiting_from_client_ == from_client &&
                    waiting_time_ == now.time_ns;
  if (!same) {
    flush();
    waiting_of_ = c;
    waiting_from_client_ = from_client;
    waiting_time_ = now.time_ns;
  }
  while (!b.empty()) {
    const std::size_t n = std::min(most - waiting_.size(), b.size());
    waiting_.insert(waiting_.end(), b.begin(), b.begin() + static_cast<std::ptrdiff_t>(n));
    b = b.subspan(n);
    if (waiting_.size() == most) flush();
  }
}

void PacketWriter::missing(const OpenedConnection& c, bool from_client, const Missing& m, Stamp) {
  flush();
  Sides& sides = sides_[c.number];
  (from_client ? sides.client : sides.server).next += static_cast<std::uint32_t>(m.bytes);
}

void PacketWriter::end(const OpenedConnection& c, bool from_client, Stamp at) {
  flush();
  Sides& sides = sides_[c.number];
  Side& own = from_client ? sides.client : sides.server;
  if (own.ended) return;
  own.ended = true;
  signal(c, from_client, fin | ack, at.time_ns);
}

void PacketWriter::close(const OpenedConnection& c, Stamp at) {
  end(c, true, at);
  end(c, false, at);
  signal(c, true, ack, at.time_ns);
  sides_.erase(c.number);
}

}  // namespace kparse::cli
