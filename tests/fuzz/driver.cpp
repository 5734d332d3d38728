// SPDX-License-Identifier: MIT
// Without libFuzzer: fuzz_driver TARGET FILE... runs files; fuzz_driver --unpack CORPUS FOLDER makes files of a corpus,
// fuzz_driver --pack FOLDER CORPUS the reverse.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "corpus.h"
#include "targets.h"

namespace kparse::fuzz {
namespace {

std::vector<std::uint8_t> read(const std::filesystem::path& name) {
  std::ifstream in(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write(const std::filesystem::path& name, std::string_view bytes) {
  std::ofstream(name, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

int unpack(const std::string& corpus, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  long n = 0;
  const long all = each_input(corpus, [&](Bytes b) { write(folder / std::to_string(n++), text(b)); });
  if (all < 0) std::fprintf(stderr, "%s: no corpus\n", corpus.c_str());
  return all < 0 ? 1 : 0;
}

constexpr std::size_t most = 128u << 10;  // bytes of a corpus that is kept

int pack(const std::filesystem::path& folder, const std::string& corpus) {
  std::vector<std::vector<std::uint8_t>> inputs;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) inputs.push_back(read(entry.path()));
  std::ranges::sort(inputs, [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
  std::string all;
  std::size_t kept = 0;
  for (const auto& in : inputs) {
    if (in.empty() || in.size() > 0xffff || all.size() + in.size() > most) continue;
    ++kept;
    all += {static_cast<char>(in.size() >> 8), static_cast<char>(in.size())};
    all += text(in);
  }
  write(corpus, all);
  std::printf("%s: %zu of %zu inputs, %zu bytes\n", corpus.c_str(), kept, inputs.size(), all.size());
  return 0;
}

}  // namespace
}  // namespace kparse::fuzz

int main(int count, char** values) {
  using namespace kparse::fuzz;
  const std::vector<std::string> words(values + 1, values + count);
  if (words.size() == 3 && words[0] == "--unpack") return unpack(words[1], words[2]);
  if (words.size() == 3 && words[0] == "--pack") return pack(words[1], words[2]);
  const Target* target = words.empty() ? nullptr : find_target(words[0]);
  if (target == nullptr) {
    std::fprintf(stderr, "fuzz_driver TARGET FILE...\nfuzz_driver --unpack CORPUS FOLDER\nfuzz_driver --pack FOLDER CORPUS\n");
    return 2;
  }
  for (std::size_t i = 1; i < words.size(); ++i) target->run(read(words[i]));
  return 0;
}
