// SPDX-License-Identifier: MIT
// The corpora of the fuzz targets, and random bytes, through the same code: no fuzzer needed.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "corpus.h"
#include "targets.h"

namespace kparse::fuzz {
namespace {

class Replay : public testing::TestWithParam<Target> {};

TEST_P(Replay, Corpus) {
  const std::string file = std::string(KPARSE_SOURCE_DIR "/tests/fuzz/corpus/") + std::string(GetParam().name) + ".corpus";
  EXPECT_GE(each_input(file, GetParam().run), 40);
}

TEST_P(Replay, NothingAndNoise) {
  GetParam().run({});
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::uint8_t> bytes(random() % 400);
    for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(random() % 3 == 0 ? random() : random() % 12);
    GetParam().run(bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Replay, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace kparse::fuzz
