// SPDX-License-Identifier: MIT
// https://www.ietf.org/archive/id/draft-ietf-opsawg-pcap-04.html
#include <algorithm>

#include "capture/reader.h"

namespace kparse::capture {
namespace {

class PcapReader final : public Reader {
 public:
  PcapReader(Window& w, const std::uint8_t* h, bool swapped, bool nano)
      : w_(w), swapped_(swapped), scale_(nano ? 1 : 1000) {
    minor_ = word<std::uint16_t>(h + 6);
    const auto snaplen = word<std::uint32_t>(h + 16);
    // Writers understate the snapshot length (65535 with TSO packets beyond it), so a small one is no limit.
    limit_ = snaplen == 0 ? max_packet : std::clamp(snaplen, 2u << 20, max_packet);
    link_type_ = static_cast<std::uint16_t>(word<std::uint32_t>(h + 20) & 0xffff);  // above: FCS length and flags
  }

  bool next(Packet& p) override {
    if (damage_) return false;
    const std::uint8_t* h = w_.need(16);
    const std::uint64_t at = w_.offset();
    if (h == nullptr) return w_.rest().empty() ? ended(w_) : cut(w_, "a packet header", at);
    auto caplen = word<std::uint32_t>(h + 8);
    auto length = word<std::uint32_t>(h + 12);
    // Up to format 2.3 some writers had the two lengths the other way round.
    if (minor_ < 3 || (minor_ == 3 && caplen > length)) std::swap(caplen, length);
    if (caplen > limit_) return stop("a packet length that can't be (" + std::to_string(caplen) + ")", at);
    const std::int64_t time =
        std::int64_t{word<std::uint32_t>(h)} * 1'000'000'000 + std::int64_t{word<std::uint32_t>(h + 4)} * scale_;
    const std::uint8_t* all = w_.need(std::size_t{16} + caplen);
    if (all == nullptr) return cut(w_, "a packet", at);
    p.data = {all + 16, caplen};
    p.wire_length = std::max(length, caplen);
    p.link_type = link_type_;
    p.stamp.time_ns = time;
    w_.consume(std::size_t{16} + caplen);
    return true;
  }

 private:
  template <class T>
  T word(const std::uint8_t* at) const noexcept {
    const T v = load_be<T>(at);
    if (!swapped_) return v;
    if constexpr (sizeof(T) == 2) return static_cast<T>(__builtin_bswap16(v));
    return static_cast<T>(__builtin_bswap32(v));
  }

  Window& w_;
  bool swapped_;
  std::int64_t scale_;
  std::uint16_t minor_ = 4;
  std::uint16_t link_type_ = 0;
  std::uint32_t limit_ = max_packet;
};

}  // namespace

OpenReader open_pcap(Window& w) {
  const std::uint8_t* h = w.need(4);
  if (h == nullptr) return {};
  const auto magic = load_be<std::uint32_t>(h);
  const bool big = magic == 0xa1b2c3d4 || magic == 0xa1b23c4d;
  const bool little = magic == 0xd4c3b2a1 || magic == 0x4d3cb2a1;
  if (!big && !little) return {};
  h = w.need(24);
  if (h == nullptr) {
    const std::size_t n = w.rest().size();
    return {nullptr, "pcap", "cut off inside the file header at byte " + std::to_string(n)};
  }
  const auto major = static_cast<std::uint16_t>(big ? load_be<std::uint16_t>(h + 4) : h[4] | h[5] << 8);
  if (major != 2) return {nullptr, "pcap", "pcap version " + std::to_string(major) + " is unknown, at byte 4"};
  OpenReader r{std::make_unique<PcapReader>(w, h, little, magic == 0xa1b23c4d || magic == 0x4d3cb2a1), "pcap", {}};
  w.consume(24);
  return r;
}

}  // namespace kparse::capture
