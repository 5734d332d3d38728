// SPDX-License-Identifier: MIT
#include "decrypt/packets.h"

#include <algorithm>

#include "capture/segment_writer.h"

namespace kparse::cli {
namespace {

constexpr std::uint8_t fin = 1, syn = 2, psh = 8, ack = 16;
constexpr std::size_t most = 32u << 10;

}  // namespace

void PacketWriter::write(const OpenedConnection& c, bool from_client, std::uint8_t flags, Bytes payload,
                         std::int64_t time_ns) {
  Sides& sides = sides_[c.number];
  Side& own = from_client ? sides.client : sides.server;
  const Side& other = from_client ? sides.server : sides.client;
  capture::write_segment(to_, time_ns,
                         {.source = from_client ? c.client : c.server,
                          .destination = from_client ? c.server : c.client,
                          .seq = own.next,
                          .acknowledged = other.next,
                          .flags = flags,
                          .window = 0xffff,
                          .options = {},
                          .payload = payload});
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
  // Where addresses and ports come again, a SYN of the same number would be the one before sent again.
  Sides& sides = sides_[c.number];
  sides.client.next = sides.server.next = begun_++ * 0x9e3779b1u;
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
