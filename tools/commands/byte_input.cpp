// SPDX-License-Identifier: MIT
#include "commands/byte_input.h"

namespace kparse::cli {
namespace {

int digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

InputFile open_input(const std::string& path) {
  return InputFile(path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
}

bool read_all(std::FILE* f, std::vector<std::uint8_t>& to) {
  std::uint8_t block[65536];
  for (std::size_t n; (n = std::fread(block, 1, sizeof block, f)) > 0;) to.insert(to.end(), block, block + n);
  return std::ferror(f) == 0;
}

std::optional<std::vector<std::uint8_t>> parse_hex(std::string_view text) {
  std::vector<std::uint8_t> out;
  out.reserve(text.size() / 2);
  int high = -1;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    const int v = digit(c);
    if (v < 0) return std::nullopt;
    if (high < 0) {
      high = v;
    } else {
      out.push_back(static_cast<std::uint8_t>(high << 4 | v));
      high = -1;
    }
  }
  if (high >= 0) return std::nullopt;
  return out;
}

}  // namespace kparse::cli
