// SPDX-License-Identifier: MIT
// Snappy, framed and raw.
#include <random>

#include "files.h"
#include "kparse/compress.h"

namespace kparse::interop {

void write_xerial(const fs::path& folder) {
  std::mt19937 random(7);
  const auto noise = [&](std::size_t n) {
    std::string s(n, 0);
    for (char& c : s) c = static_cast<char>(random());
    return s;
  };
  std::string text;
  while (text.size() < 100'000) text += "line " + std::to_string(random() % 1000) + "\n";
  const std::pair<const char*, std::string> contents[] = {
      {"nothing", ""}, {"one", "x"}, {"hello", "hello"}, {"text", text}, {"noise", noise(70'000)}};
  const std::pair<const char*, CompressOptions> ways[] = {
      {"framed", {}},
      {"blocks-1K", {.xerial_block = 1024}},
      {"blocks-1M", {.xerial_block = 1u << 20}},
      {"little-endian", {.xerial_version = 0x01000000, .xerial_compatible = 0x01000000}},
      {"raw", {.xerial = false}}};
  Scratch scratch;
  for (const auto& [name, content] : contents) {
    for (const auto& [way, options] : ways) {
      Writer out;
      if (compress(Codec::snappy, bytes(content), scratch, out, options)) continue;
      const std::string file = std::string(name) + "-" + way;
      write_file(folder / (file + ".snappy"), kparse::text(out.view()));
      write_file(folder / (file + ".plain"), content);
    }
  }
}

void read_xerial(const fs::path& folder, Tally& tally) {
  Scratch scratch;
  for (const auto& e : fs::directory_iterator(folder)) {
    if (e.path().extension() != ".snappy") continue;
    const std::string packed = read_file(e.path()), plain = read_file(fs::path(e.path()).replace_extension(".plain"));
    const Decompressed d = decompress(Codec::snappy, bytes(packed), scratch);
    const bool framed = e.path().stem().string().ends_with("-raw") == !d.xerial;
    tally.expect(!d.error && framed && text(d.data) == plain, e.path().filename().string());
  }
}

}  // namespace kparse::interop
