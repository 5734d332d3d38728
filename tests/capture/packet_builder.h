// SPDX-License-Identifier: MIT
// Packets and capture files by hand, layer by layer from the inside out.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "kparse/bytes.h"

namespace kparse::capture::build {

using Raw = std::vector<std::uint8_t>;

inline Raw operator+(Raw a, const Raw& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
inline Raw number(std::uint64_t v, int bytes, bool big = true) {
  Raw r;
  for (int i = 0; i < bytes; ++i) r.push_back(static_cast<std::uint8_t>(v >> 8 * (big ? bytes - 1 - i : i)));
  return r;
}
inline Raw u8(std::uint64_t v) { return number(v, 1); }
inline Raw u16(std::uint64_t v) { return number(v, 2); }
inline Raw u32(std::uint64_t v) { return number(v, 4); }
inline Raw bytes(std::string_view s) { return {s.begin(), s.end()}; }
inline Raw zeros(std::size_t n) { return Raw(n, 0); }
/// 0, 1, 2, ... from any start: tells pieces of a stream apart.
inline Raw pattern(std::size_t n, std::size_t from = 0) {
  Raw r(n);
  for (std::size_t i = 0; i < n; ++i) r[i] = static_cast<std::uint8_t>((from + i) * 7 + (from + i) / 256);
  return r;
}

struct Tcp {
  std::uint16_t from = 40000, to = 9092;
  std::uint32_t seq = 0, ack = 0;
  std::uint8_t flags = 0x10;
};
inline Raw tcp(const Tcp& t, const Raw& payload = {}, const Raw& options = {}) {
  return u16(t.from) + u16(t.to) + u32(t.seq) + u32(t.ack) + u8((5 + options.size() / 4) << 4) + u8(t.flags) +
         u16(1000) + u32(0) + options + payload;
}
inline Raw udp(std::uint16_t to, const Raw& payload) {
  return u16(50000) + u16(to) + u16(8 + payload.size()) + u16(0) + payload;
}
struct Ip {
  std::uint32_t from = 0x0a000001, to = 0x0a000002;
  std::uint16_t id = 0, place = 0;  // place: flags and fragment offset / 8
  int total = -1;                   // -1: right
};
inline Raw ipv4(std::uint8_t protocol, const Raw& payload, const Ip& ip = {}, const Raw& options = {}) {
  const std::size_t header = 20 + options.size();
  return u8(0x40 | header / 4) + u8(0) +
         u16(ip.total >= 0 ? static_cast<std::size_t>(ip.total) : header + payload.size()) + u16(ip.id) +
         u16(ip.place) + u8(64) + u8(protocol) + u16(0) + u32(ip.from) + u32(ip.to) + options + payload;
}
inline Raw ipv6(std::uint8_t next, const Raw& payload, int length = -1) {
  const Raw prefix = u32(0x20010db8) + zeros(11);
  return u32(0x60000000) + u16(length >= 0 ? static_cast<std::size_t>(length) : payload.size()) + u8(next) + u8(64) +
         prefix + u8(1) + prefix + u8(2) + payload;
}
inline Raw ethernet(std::uint16_t type, const Raw& payload) { return zeros(12) + u16(type) + payload; }

struct Record {
  std::int64_t time_ns = 0;
  Raw data;
  std::uint32_t wire = 0;  // 0: all of it
};
inline Raw pcap_header(std::uint32_t link_type = 1, bool big = false, bool nano = false,
                       std::uint32_t snaplen = 65535) {
  const auto n = [&](std::uint64_t v, int b) { return number(v, b, big); };
  return n(nano ? 0xa1b23c4d : 0xa1b2c3d4, 4) + n(2, 2) + n(4, 2) + n(0, 4) + n(0, 4) + n(snaplen, 4) + n(link_type, 4);
}
inline Raw pcap_record(const Record& r, bool big = false, bool nano = false) {
  const auto n = [&](std::uint64_t v) { return number(v, 4, big); };
  return n(static_cast<std::uint64_t>(r.time_ns / 1'000'000'000)) +
         n(static_cast<std::uint64_t>(r.time_ns % 1'000'000'000 / (nano ? 1 : 1000))) + n(r.data.size()) +
         n(r.wire != 0 ? r.wire : r.data.size()) + r.data;
}
inline Raw pcap(const std::vector<Record>& records, std::uint32_t link_type = 1, bool big = false, bool nano = false) {
  Raw file = pcap_header(link_type, big, nano);
  for (const Record& r : records) file = std::move(file) + pcap_record(r, big, nano);
  return file;
}

/// Blocks of pcapng.
struct Pcapng {
  bool big = false;
  Raw n(std::uint64_t v, int b) const { return number(v, b, big); }
  Raw block(std::uint32_t type, Raw body) const {
    body.resize((body.size() + 3) / 4 * 4);
    const Raw length = n(body.size() + 12, 4);
    return n(type, 4) + length + body + length;
  }
  Raw section() const { return block(0x0a0d0d0a, n(0x1a2b3c4d, 4) + n(1, 2) + n(0, 2) + number(~std::uint64_t{0}, 8)); }
  Raw option(std::uint16_t code, Raw value) const {
    const Raw head = n(code, 2) + n(value.size(), 2);
    value.resize((value.size() + 3) / 4 * 4);
    return head + value;
  }
  Raw interface(std::uint16_t link_type, const Raw& options = {}, std::uint32_t snaplen = 0) const {
    return block(1, n(link_type, 2) + n(0, 2) + n(snaplen, 4) + options);
  }
  Raw enhanced(std::uint32_t interface, std::uint64_t ticks, const Raw& data, std::uint32_t wire = 0) const {
    return block(6, n(interface, 4) + n(ticks >> 32, 4) + n(ticks & 0xffffffff, 4) + n(data.size(), 4) +
                        n(wire != 0 ? wire : data.size(), 4) + data);
  }
  Raw simple(std::uint32_t wire, const Raw& data) const { return block(3, n(wire, 4) + data); }
  Raw old(std::uint16_t interface, std::uint64_t ticks, const Raw& data) const {
    return block(2, n(interface, 2) + n(0, 2) + n(ticks >> 32, 4) + n(ticks & 0xffffffff, 4) + n(data.size(), 4) +
                        n(data.size(), 4) + data);
  }
};

/// Files of one test, gone with it.
class Folder {
 public:
  Folder() {
    path_ = (std::filesystem::temp_directory_path() / "kparse-capture-XXXXXX").string();
    if (mkdtemp(path_.data()) == nullptr) std::abort();
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string write(const std::string& name, const Raw& data) const {
    const std::string full = path_ + "/" + name;
    std::filesystem::remove(full);  // writing over a file makes some file systems wait for the disk
    std::ofstream(full, std::ios::binary)
        .write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
    return full;
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace kparse::capture::build
