// SPDX-License-Identifier: MIT
// Captures made for tests: pcap files taken apart, put together, and written from TCP payloads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace kparse::test {

namespace fs = std::filesystem;

/// A folder that goes away with the object.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] fs::path operator/(std::string_view name) const { return path_ / name; }
  [[nodiscard]] std::size_t entries() const;

 private:
  fs::path path_;
};

[[nodiscard]] std::string read_file(const fs::path&);
void write_file(const fs::path&, std::string_view content);
[[nodiscard]] fs::path sample(std::string_view name);   ///< of samples/captures

/// A little-endian pcap file: its header and its records (with their headers).
struct Pcap {
  std::string header;
  std::vector<std::string> records;

  [[nodiscard]] static Pcap parse(const std::string& file);
  [[nodiscard]] std::string file(std::size_t first, std::size_t last) const;  ///< header and records [first, last)
};

/// Writes one TCP connection, packet by packet: memory doesn't grow with what is sent.
class ConnectionWriter {
 public:
  explicit ConnectionWriter(const fs::path&);
  void client(std::string_view payload) { send(0, payload); }
  void server(std::string_view payload) { send(1, payload); }

 private:
  void send(int side, std::string_view payload);
  void packet(int side, std::uint8_t flags, std::string_view payload);

  std::ofstream file_;
  std::uint32_t sequence_[2] = {1000, 5000};
  std::uint32_t packets_ = 0;
};

/// Big-endian bytes.
[[nodiscard]] std::string be16(std::uint16_t);
[[nodiscard]] std::string be32(std::uint32_t);
[[nodiscard]] std::string be64(std::uint64_t);
/// A zigzag varint, as in records.
[[nodiscard]] std::string varint(std::int64_t);

}  // namespace kparse::test
