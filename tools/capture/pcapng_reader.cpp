// SPDX-License-Identifier: MIT
// https://www.ietf.org/archive/id/draft-ietf-opsawg-pcapng-02.html
#include <algorithm>
#include <limits>

#include "capture/pcapng_interface.h"
#include "capture/reader.h"

namespace kparse::capture {
namespace {

enum Block : std::uint32_t {
  section_header = 0x0a0d0d0a,
  interface_description = 1,
  old_packet = 2,
  simple_packet = 3,
  enhanced_packet = 6,
  decryption_secrets = 10,
};
constexpr std::uint32_t byte_order = 0x1a2b3c4d;
constexpr std::size_t max_interfaces = 1u << 16;
constexpr std::size_t max_secrets = 64u << 20;

class PcapngReader final : public Reader {
 public:
  explicit PcapngReader(Window& w) : w_(w) {}

  bool next(Packet& p) override {
    while (!damage_) {
      const std::uint64_t at = w_.offset();
      const std::uint8_t* h = w_.need(8);
      if (h == nullptr) return w_.rest().empty() ? ended(w_) : cut(w_, "a block header", at);
      if (load_be<std::uint32_t>(h) == section_header) {
        if (!section(at)) return false;
        continue;
      }
      const std::uint32_t type = order_.u32(h), length = order_.u32(h + 4);
      if (length < 12 || length % 4 != 0) return bad_length(length, at);
      const std::uint32_t fixed = fixed_part(type);
      if (fixed == 0) {  // nothing we need, and it may be large
        if (!w_.skip(length)) return cut(w_, "a block", at);
        continue;
      }
      if (length < fixed || length > max_packet) return bad_length(length, at);
      h = w_.need(length);
      if (h == nullptr) return cut(w_, is_packet(type) ? "a packet" : "a block", at);
      if (order_.u32(h + length - 4) != length) return stop("two lengths of a block differ", at);
      const bool packet = is_packet(type);
      if (!(packet ? read_packet(type, {h, length}, at, p) : read_other(type, {h, length}, at))) return false;
      w_.consume(length);
      if (packet) return true;
    }
    return false;
  }

  /// The first block; says in damage_ what is wrong with it.
  bool section(std::uint64_t at) {
    const std::uint8_t* h = w_.need(12);
    if (h == nullptr) return cut(w_, "a section header", at);
    const bool big = load_be<std::uint32_t>(h + 8) == byte_order;
    if (!big && load_be<std::uint32_t>(h + 8) != __builtin_bswap32(byte_order)) {
      return stop("a section header with an unknown byte order", at);
    }
    order_ = {big};
    const std::uint32_t length = order_.u32(h + 4);
    if (length < 28 || length % 4 != 0 || length > max_packet) return bad_length(length, at);
    h = w_.need(length);
    if (h == nullptr) return cut(w_, "a section header", at);
    if (order_.u16(h + 12) != 1)
      return stop("pcapng version " + std::to_string(order_.u16(h + 12)) + " is unknown", at);
    if (order_.u32(h + length - 4) != length) return stop("two lengths of a block differ", at);
    w_.consume(length);
    interfaces_.clear();
    return true;
  }

 private:
  static constexpr bool is_packet(std::uint32_t type) noexcept {
    return type == old_packet || type == simple_packet || type == enhanced_packet;
  }
  /// Least total length; 0: a block to skip.
  static constexpr std::uint32_t fixed_part(std::uint32_t type) noexcept {
    switch (type) {
      case interface_description:
        return 20;
      case old_packet:
        return 32;
      case simple_packet:
        return 16;
      case enhanced_packet:
        return 32;
      case decryption_secrets:
        return 20;
      default:
        return 0;
    }
  }

  bool bad_length(std::uint32_t length, std::uint64_t at) {
    return stop("a block length that can't be (" + std::to_string(length) + ")", at);
  }

  bool read_other(std::uint32_t type, Bytes b, std::uint64_t at) {
    if (type == interface_description) {
      Interface i;
      if (const char* why = i.read(order_, b.subspan(8, b.size() - 12)); why != nullptr) return stop(why, at);
      if (interfaces_.size() == max_interfaces) return stop("too many interfaces", at);
      interfaces_.push_back(i);
      return true;
    }
    const std::uint32_t n = order_.u32(b.data() + 12);
    if (n > b.size() - 20) return stop("a secrets length that can't be (" + std::to_string(n) + ")", at);
    if (secret_bytes_ + n <= max_secrets) {
      secret_bytes_ += n;
      secrets_.push_back({order_.u32(b.data() + 8), std::string(text(b.subspan(16, n)))});
    }
    return true;
  }

  bool read_packet(std::uint32_t type, Bytes b, std::uint64_t at, Packet& p) {
    const std::uint8_t* h = b.data();
    std::uint32_t interface = 0, caplen = 0, length = 0, head = 28;
    if (type == enhanced_packet) {
      interface = order_.u32(h + 8);
    } else if (type == old_packet) {
      interface = order_.u16(h + 8);
    } else {
      head = 12;
    }
    if (interface >= interfaces_.size()) {
      return stop("a packet of interface " + std::to_string(interface) + ", which the file doesn't describe", at);
    }
    const Interface& i = interfaces_[interface];
    const auto room = static_cast<std::uint32_t>(b.size() - head - 4);
    if (type == simple_packet) {
      length = order_.u32(h + 8);
      caplen = std::min({length, room, i.snaplen == 0 ? length : i.snaplen});
    } else {
      caplen = order_.u32(h + 20);
      length = order_.u32(h + 24);
      time_ = i.time_ns(std::uint64_t{order_.u32(h + 12)} << 32 | order_.u32(h + 16));
    }
    if (caplen > room) return stop("a packet length that can't be (" + std::to_string(caplen) + ")", at);
    p.data = b.subspan(head, caplen);
    p.wire_length = std::max(length, caplen);
    p.link_type = i.link_type;
    p.stamp.time_ns = time_;  // a simple packet has no time of its own
    return true;
  }

  Window& w_;
  ByteOrder order_;
  std::vector<Interface> interfaces_;
  std::size_t secret_bytes_ = 0;
  std::int64_t time_ = 0;
};

}  // namespace

OpenReader open_pcapng(Window& w) {
  const std::uint8_t* h = w.need(4);
  if (h == nullptr || load_be<std::uint32_t>(h) != section_header) return {};
  auto r = std::make_unique<PcapngReader>(w);
  if (!r->section(0)) return {nullptr, "pcapng", text_of(*r->damage())};
  return {std::move(r), "pcapng", {}};
}

}  // namespace kparse::capture
