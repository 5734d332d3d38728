// SPDX-License-Identifier: MIT
// Legal traffic that looks odd: quiet/*.yaml. No rule may complain of it (notices and infos are no complaints).
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

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

/// Where the blocks of a pcapng begin: section header, interface description, packets.
std::vector<std::size_t> blocks_of(const std::string& whole) {
  std::vector<std::size_t> blocks;
  for (std::size_t at = 0; at + 8 <= whole.size();) {
    blocks.push_back(at);
    const auto byte = [&](std::size_t n) { return static_cast<std::size_t>(static_cast<unsigned char>(whole[at + n])); };
    at += byte(4) | byte(5) << 8 | byte(6) << 16 | byte(7) << 24;
  }
  return blocks;
}

constexpr int enhanced_packet = 6;

/// The capture without the packets that `drop` names by sender and TCP flags. (craft writes IPv4 without a link layer.)
template <class Drop>
std::string without(const std::string& whole, Drop drop) {
  constexpr std::size_t tcp = 28 + 20;
  const std::vector<std::size_t> blocks = blocks_of(whole);
  std::string out;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::string block =
        whole.substr(blocks[i], i + 1 < blocks.size() ? blocks[i + 1] - blocks[i] : std::string::npos);
    if (block[0] == enhanced_packet && block.size() > tcp + 13) {
      const auto byte = [&](std::size_t n) { return static_cast<unsigned char>(block[n]); };
      const bool from_server = (byte(tcp) << 8 | byte(tcp + 1)) == 9092;
      if (drop(from_server, byte(tcp + 13))) continue;
    }
    out += block;
  }
  return out;
}

// The start of a capture and the borders of rotated files: nothing but what is missing is to be said, however the
// packets are cut into files or off the start.
TEST(Borders, CutsAreNobodysFault) {
  const Fixture fixture = read_fixture(lint_folder("borders.yaml"));
  const std::string whole = crafted(fixture.miss);
  const std::vector<std::size_t> blocks = blocks_of(whole);
  std::size_t first = 0;
  while (first < blocks.size() && whole[blocks[first]] != enhanced_packet) ++first;
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

// Of a client that the capture doesn't show at all, nobody can say that it asked for little.
TEST(OneDirection, NoClientIsBlamedForWhatTheCaptureLacks) {
  const Fixture fixture = read_fixture(lint_folder("fixtures/KP-CONN-CHURN.yaml"));
  const std::string servers = without(crafted(fixture.hit), [](bool from_server, int) { return !from_server; });
  EXPECT_EQ(text_of(lint_files({servers}, fixture.options)).find("KP-CONN-CHURN"), std::string::npos);
}

TEST(OneDirection, WhoClosedIsSaidOfACutFrame) {
  const Fixture fixture = read_fixture(lint_folder("fixtures/KP-FRAME-TRUNC.yaml"));
  const std::string whole = crafted("closedBy: server\n" + fixture.hit);
  constexpr int fin = 1;
  const auto said = [&](auto drop) { return text_of(lint_files({without(whole, drop)}, fixture.options)); };
  const std::string all = said([](bool, int) { return false; });
  EXPECT_NE(all.find("its sender ended the stream"), std::string::npos) << all;
  const std::string receiver = said([closed = false](bool, int flags) mutable {
    return std::exchange(closed, closed || (flags & fin) != 0);
  });
  EXPECT_NE(receiver.find("its receiver had closed"), std::string::npos) << receiver;
  const std::string nobody = said([closed = false](bool, int flags) mutable {
    return closed = closed || (flags & fin) != 0;
  });
  EXPECT_NE(nobody.find("the capture ends"), std::string::npos) << nobody;
}

}  // namespace
}  // namespace kparse::test
