// SPDX-License-Identifier: MIT
// What is handed over between kparse and Kafka's own classes: files in a folder, bytes beside what is in them.
#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "kparse/bytes.h"

namespace kparse::interop {

namespace fs = std::filesystem;

[[nodiscard]] inline std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_file(const fs::path& path, std::string_view content) {
  std::ofstream(path, std::ios::binary) << content;
}

[[nodiscard]] inline Bytes bytes(std::string_view s) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()};
}

struct Tally {
  unsigned checked = 0, wrong = 0;
  void expect(bool right, const std::string& what) {
    ++checked;
    if (right) return;
    if (++wrong <= 20) std::printf("WRONG: %s\n", what.c_str());
  }
};

// FOLDER/records: NAME.bin is a record set, NAME.txt what is in it, line by line (see records.cpp).
// FOLDER/xerial: NAME.snappy is NAME.plain, compressed.
// FOLDER/messages.ndjson: {"message","version","json","hex"}
void write_records(const fs::path& folder);
void read_records(const fs::path& folder, Tally&);
void write_xerial(const fs::path& folder);
void read_xerial(const fs::path& folder, Tally&);
void write_messages(const fs::path& file);
void read_messages(const fs::path& file, Tally&);

}  // namespace kparse::interop
