// SPDX-License-Identifier: MIT
#include "captures.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <sstream>

namespace kparse::test {
namespace {

std::string le32(std::uint32_t v) {
  std::string s = be32(v);
  std::reverse(s.begin(), s.end());
  return s;
}

std::uint32_t le32_at(const std::string& s, std::size_t at) {
  std::uint32_t v = 0;
  for (std::size_t i = 4; i-- > 0;) v = v << 8 | static_cast<unsigned char>(s[at + i]);
  return v;
}

}  // namespace

Folder::Folder() {
  std::string name = fs::temp_directory_path() / "kparse-cli-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) std::abort();
  path_ = name;
}

Folder::~Folder() { fs::remove_all(path_); }

std::size_t Folder::entries() const {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const fs::path& path, std::string_view content) {
  std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
}

fs::path sample(std::string_view name) { return fs::path(KPARSE_SOURCE_DIR) / "samples/captures" / name; }

Pcap Pcap::parse(const std::string& file) {
  Pcap pcap{file.substr(0, 24), {}};
  for (std::size_t at = 24; at + 16 <= file.size();) {
    const std::size_t size = 16 + le32_at(file, at + 8);
    pcap.records.push_back(file.substr(at, size));
    at += size;
  }
  return pcap;
}

std::string Pcap::file(std::size_t first, std::size_t last) const {
  std::string file = header;
  for (std::size_t i = first; i < std::min(last, records.size()); ++i) file += records[i];
  return file;
}

ConnectionWriter::ConnectionWriter(const fs::path& path) : file_(path, std::ios::binary) {
  // Microseconds, version 2.4, snapshot length 256 KiB, raw IP.
  file_ << le32(0xa1b2c3d4) << std::string("\x02\0\x04\0", 4) << le32(0) << le32(0) << le32(262144) << le32(101);
  packet(0, 0x02, {});
  packet(1, 0x12, {});
  packet(0, 0x10, {});
}

void ConnectionWriter::send(int side, std::string_view payload) {
  constexpr std::size_t largest = 60'000;  // in one IPv4 packet, as captured with segmentation offload
  for (std::size_t at = 0; at < payload.size(); at += largest) packet(side, 0x18, payload.substr(at, largest));
}

void ConnectionWriter::packet(int side, std::uint8_t flags, std::string_view payload) {
  const std::string client("\x0a\0\0\x01", 4), server("\x0a\0\0\x02", 4);
  const auto total = static_cast<std::uint16_t>(40 + payload.size());
  std::string headers = std::string("\x45\0", 2) + be16(total) + std::string("\0\0\0\0\x40\x06\0\0", 8);
  headers += side == 0 ? client + server : server + client;
  headers += side == 0 ? be16(40000) + be16(9092) : be16(9092) + be16(40000);
  headers += be32(sequence_[side]) + be32((flags & 0x10) != 0 ? sequence_[1 - side] : 0);
  headers += std::string("\x50", 1) + static_cast<char>(flags) + std::string("\xff\xff\0\0\0\0", 6);
  file_ << le32(1'700'000'000 + packets_ / 1'000'000) << le32(packets_ % 1'000'000) << le32(total) << le32(total)
        << headers << payload;
  sequence_[side] += static_cast<std::uint32_t>(payload.size()) + ((flags & 0x02) != 0 ? 1 : 0);
  ++packets_;
}

std::string be16(std::uint16_t v) { return {static_cast<char>(v >> 8), static_cast<char>(v)}; }
std::string be32(std::uint32_t v) {
  return be16(static_cast<std::uint16_t>(v >> 16)) + be16(static_cast<std::uint16_t>(v));
}
std::string be64(std::uint64_t v) {
  return be32(static_cast<std::uint32_t>(v >> 32)) + be32(static_cast<std::uint32_t>(v));
}

std::string varint(std::int64_t value) {
  auto v = static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
  std::string s;
  for (; v >= 0x80; v >>= 7) s += static_cast<char>(v | 0x80);
  return s + static_cast<char>(v);
}

}  // namespace kparse::test
