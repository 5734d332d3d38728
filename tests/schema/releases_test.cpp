// SPDX-License-Identifier: MIT
// data/api-version-matrix.tsv: the versions that each release's ApiKeys had, one patch level per release line.
#include <gtest/gtest.h>

#include "kparse/releases.h"
#include "tsv.h"

namespace kparse {
namespace {

std::string text(const Support& s) {
  std::string out;
  if (!s.stable.empty()) out = std::to_string(s.stable.lo) + "-" + std::to_string(s.stable.hi);
  if (!s.unstable.empty()) out += "+u" + std::to_string(s.unstable.lo);
  return out;
}

TEST(Releases, TheWholeMatrix) {
  const auto rows = test::read_tsv("api-version-matrix.tsv", true);
  ASSERT_EQ(rows.size(), 96u);
  ASSERT_EQ(releases().size(), rows[0].size() - 2);
  for (std::size_t r = 0; r < releases().size(); ++r) EXPECT_EQ(releases()[r], rows[0][r + 2]);
  std::size_t cells = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const Api* api = find_api(std::stoi(rows[i][0]));
    ASSERT_NE(api, nullptr);
    EXPECT_EQ(api->name, rows[i][1]);
    for (std::size_t r = 0; r < releases().size(); ++r) {
      std::string cell = r + 2 < rows[i].size() ? rows[i][r + 2] : "";
      if (cell == "removed" || cell == "none") cell.clear();
      EXPECT_EQ(text(support(*api, r)), cell) << api->name << " in " << releases()[r];
      cells += !cell.empty();
    }
  }
  EXPECT_GT(cells, 1500u);
}

TEST(Releases, Current) {
  EXPECT_EQ(releases()[current_release()], "4.4");
  EXPECT_EQ(text({find_api(1)->current, find_api(1)->unstable}), "4-18");
  EXPECT_EQ(text({find_api(22)->current, find_api(22)->unstable}), "0-5+u6");
  EXPECT_TRUE(find_api(4)->current.empty());
}

TEST(Releases, Find) {
  const auto name = [](std::string_view asked) {
    const auto at = find_release(asked);
    return at ? releases()[*at] : std::string_view("-");
  };
  EXPECT_EQ(name("3.9.1"), "3.9.2-rc0");
  EXPECT_EQ(name("3.9"), "3.9.2-rc0");
  EXPECT_EQ(name("v4.4.0"), "4.4");
  EXPECT_EQ(name("0.10.1"), "0.10.1.1");
  EXPECT_EQ(name("0.10.1.0"), "0.10.1.1");
  EXPECT_EQ(name("0.10.2.2"), "0.10.2.2");
  EXPECT_EQ(name("0.8.2-beta"), "0.8.2.2");
  EXPECT_EQ(name("2.0"), "2.0.1");
  EXPECT_EQ(name("trunk"), "trunk");
  EXPECT_EQ(name("9.9"), "-");
  EXPECT_EQ(name(""), "-");
  EXPECT_EQ(name("3"), "-");
  EXPECT_TRUE(support(*find_api(1), releases().size()).stable.empty());
}

}  // namespace
}  // namespace kparse
