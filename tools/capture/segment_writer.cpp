// SPDX-License-Identifier: MIT
#include "capture/segment_writer.h"

#include <algorithm>
#include <array>

namespace kparse::capture {
namespace {

class Header {
 public:
  Header& put(std::uint64_t v, int bytes) {
    for (int i = bytes - 1; i >= 0; --i) bytes_[size_++] = static_cast<std::uint8_t>(v >> 8 * i);
    return *this;
  }
  Header& put(const Endpoint& e) { return put(Bytes(e.ip.data(), e.v6 ? 16 : 4)); }
  Header& put(Bytes b) {
    for (const std::uint8_t v : b) bytes_[size_++] = v;
    return *this;
  }
  void set16(std::size_t at, std::uint16_t v) {
    bytes_[at] = static_cast<std::uint8_t>(v >> 8);
    bytes_[at + 1] = static_cast<std::uint8_t>(v);
  }
  [[nodiscard]] Bytes view() const { return {bytes_.data(), size_}; }

 private:
  std::array<std::uint8_t, 64> bytes_{};
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

void write_segment(PcapngWriter& to, std::int64_t time_ns, const Segment& s) {
  const Endpoint &source = s.source, &destination = s.destination;
  const std::size_t tcp_size = 20 + std::min<std::size_t>(s.options.size() / 4 * 4, 40);
  const std::size_t payload = std::max<std::size_t>(s.payload.size(), s.wire_payload);
  const std::size_t length = tcp_size + payload;

  Header tcp;
  tcp.put(source.port, 2).put(destination.port, 2).put(s.seq, 4).put(s.has(Segment::ack) ? s.acknowledged : 0, 4);
  tcp.put(tcp_size / 4 << 4, 1).put(s.flags, 1).put(s.window, 2).put(0, 4).put(s.options.first(tcp_size - 20));
  Header addresses;
  addresses.put(source).put(destination);
  tcp.set16(16, checksum(sum(addresses.view()) + 6 + length + sum(tcp.view()) + sum(s.payload)));

  Header ip;
  if (source.v6) {
    ip.put(0x60000000, 4).put(length, 2).put(6, 1).put(64, 1);
  } else {
    ip.put(0x4500, 2).put(20 + length, 2).put(s.ip_id, 2).put(0x4000, 2).put(64, 1).put(6, 1).put(0, 2);
  }
  ip.put(source).put(destination);
  if (!source.v6) ip.set16(10, checksum(sum(ip.view())));
  to.packet(0, time_ns, {ip.view(), tcp.view(), s.payload}, static_cast<std::uint32_t>(ip.view().size() + length));
}

}  // namespace kparse::capture
