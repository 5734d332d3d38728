// SPDX-License-Identifier: MIT
#include "capture/capture.h"

#include "input.h"
#include "memory_file.h"
#include "targets.h"
#include "tiles.h"

namespace kparse::fuzz {
namespace {

constexpr capture::TcpOptions small = {.max_connections = 4, .max_silent = 2, .max_closed = 4, .max_held = 1u << 16, .max_held_direction = 1u << 14,
                                       .wait_packets = 4, .linger_packets = 8};

}  // namespace

void capture_file(Bytes input) {
  const MemoryFile file(input);
  Tiles tiles;
  capture::Capture capture({file.name()}, tiles, {}, small);
  capture.open();
  std::uint64_t packets = 0;
  while (capture.step() != nullptr) ++packets;
  capture.finish();
  tiles.finish();
  KPARSE_HOLDS(capture.stats().packets == packets);
  KPARSE_HOLDS(capture.tcp_stats().lost_bytes == tiles.lost_bytes && capture.tcp_stats().cut_bytes == tiles.cut_bytes);
}

/// A byte chooses the link type, then come packets: milliseconds, bytes more on the wire, a length, the bytes.
void packets(Bytes input) {
  constexpr std::uint16_t links[] = {1, 113, 276, 0, 101, 9, 50, 51, 104, 228, 229, 12, 108, 105};
  Input in(input);
  Tiles tiles;
  capture::Decoder decoder;
  capture::TcpTable tcp(tiles, small);
  capture::Packet packet;
  packet.link_type = links[in.u8() % std::size(links)];
  packet.stamp.time_ns = 1;
  capture::Segment segment;
  while (!in.done()) {
    packet.stamp.time_ns += in.u8() * std::int64_t{1'000'000};
    ++packet.stamp.packet;
    const std::uint32_t more = in.u8();
    const Copy data(in.take(in.u16()));
    packet.data = data;
    packet.wire_length = static_cast<std::uint32_t>(packet.data.size()) + more;
    if (decoder.decode(packet, segment) == capture::Decoded::tcp) {
      KPARSE_HOLDS(segment.payload.size() <= segment.wire_payload);
      tcp.add(segment, packet.stamp);
    }
  }
  tcp.finish();
  tiles.finish();
}

/// Each segment: a byte for connection, direction and flags, the sequence number, an ACK, a length, bytes cut.
void segments(Bytes input) {
  Input in(input);
  Tiles tiles;
  capture::TcpTable tcp(tiles, small);
  Stamp now{.time_ns = 1};
  std::uint32_t next[6][2] = {};
  std::uint8_t content[256];
  for (std::size_t i = 0; i < sizeof content; ++i) content[i] = static_cast<std::uint8_t>(i * 7);
  for (std::uint32_t n = 0; !in.done() && n < 5000; ++n) {
    const std::uint8_t what = in.u8(), flags = in.u8(), length = in.u8();
    const int connection = (what & 7) % 6, direction = what >> 3 & 1;
    std::uint32_t& at = next[connection][direction];
    const std::uint32_t seq = at + static_cast<std::uint32_t>(static_cast<std::int8_t>(in.u8())) * ((what & 0x80) != 0 ? 1u << 24 : 1u);
    capture::Segment s;
    s.source.ip[0] = s.destination.ip[0] = 10;
    (direction == 0 ? s.source : s.destination).port = static_cast<std::uint16_t>(40000 + connection);
    (direction == 0 ? s.destination : s.source).port = 9092;
    s.seq = seq;
    s.flags = flags & 0x1f;
    s.acknowledged = next[connection][1 - direction] + ((what & 0x40) != 0 ? static_cast<std::uint32_t>(static_cast<std::int8_t>(in.u8())) : 0);
    s.wire_payload = length;
    s.payload = Bytes(content).subspan((what & 0x20) != 0 ? 0 : seq & 7, length < 248 ? length : 248);
    s.payload = s.payload.first(s.payload.size() - ((what & 0x10) != 0 ? s.payload.size() / 3 : 0));
    s.window = 1000;
    s.ip_id = (flags & 0x80) != 0 ? 0 : n;
    at = seq + length + ((s.flags & (capture::Segment::syn | capture::Segment::fin)) != 0);
    ++now.packet;
    now.time_ns += (flags & 0x40) != 0 ? 50'000'000 : 100;
    tcp.add(s, now);
  }
  tcp.finish();
  tiles.finish();
  KPARSE_HOLDS(tcp.stats().lost_bytes == tiles.lost_bytes && tcp.stats().cut_bytes == tiles.cut_bytes);
}

}  // namespace kparse::fuzz
