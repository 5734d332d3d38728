// SPDX-License-Identifier: MIT
// Legal traffic that looks odd: quiet/*.yaml. No rule may complain of it (notices and infos are no complaints).
#include <gtest/gtest.h>

#include <algorithm>

#include "support.h"

namespace kparse::test {
namespace {

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class Quiet : public testing::TestWithParam<std::string> {};

TEST_P(Quiet, NothingToComplainOf) {
  const Fixture fixture = read_fixture(lint_folder("quiet/") + GetParam() + ".yaml");
  ASSERT_FALSE(fixture.miss.empty());
  const std::vector<Finding> findings = lint(fixture.miss, fixture.options);
  for (const Finding& f : findings)
    EXPECT_LT(f.rule->severity, Severity::warning) << text_of({f});
}

INSTANTIATE_TEST_SUITE_P(Traffic, Quiet, testing::ValuesIn(fixtures_of("quiet")), test_name);

// The start of a capture and the borders of rotated files: nothing but what is missing is to be said, however the
// packets are cut into files or off the start.
TEST(Borders, CutsAreNobodysFault) {
  const Fixture fixture = read_fixture(lint_folder("borders.yaml"));
  const std::string whole = crafted(fixture.miss);
  // Blocks of a pcapng: section header, interface description, packets.
  std::vector<std::size_t> blocks;
  for (std::size_t at = 0; at + 8 <= whole.size();) {
    blocks.push_back(at);
    const auto byte = [&](std::size_t n) { return static_cast<std::size_t>(static_cast<unsigned char>(whole[at + n])); };
    at += byte(4) | byte(5) << 8 | byte(6) << 16 | byte(7) << 24;
  }
  std::size_t first = 0;
  while (first < blocks.size() && whole[blocks[first]] != 6) ++first;
  ASSERT_GT(blocks.size(), first + 10);
  const std::string head = whole.substr(0, blocks[first]);
  for (std::size_t cut = first + 1; cut < blocks.size(); ++cut) {
    const std::string before = whole.substr(0, blocks[cut]), after = head + whole.substr(blocks[cut]);
    for (const auto& captures : {std::vector{before, after}, std::vector{after}, std::vector{before}})
      for (const Finding& f : lint_files(captures, {}))
        EXPECT_LT(f.rule->severity, Severity::warning)
            << (captures.size() == 2 ? "in two files" : captures[0].size() == after.size() ? "without the start" : "without the end")
            << ", cut at block " << cut << ": " << text_of({f});
  }
}

}  // namespace
}  // namespace kparse::test
