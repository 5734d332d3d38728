// SPDX-License-Identifier: MIT
// The crafted samples are what their scripts give, and show the drafts' headers.
#include <gtest/gtest.h>

#include <string>

#include "../cli/captures.h"
#include "../cli/process.h"

namespace kparse::test {
namespace {

class CraftedSample : public ::testing::TestWithParam<const char*> {};

TEST_P(CraftedSample, IsWhatItsScriptGives) {
  const Folder folder;
  const std::string name = GetParam();
  const Result r = run({"craft", sample("crafted/" + name + ".yaml").string(), (folder / "x.pcapng").string()});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(read_file(folder / "x.pcapng"), read_file(sample("crafted/" + name + ".pcapng")));
}

TEST_P(CraftedSample, ShowsTheDraftsHeaders) {
  const std::string name = GetParam();
  const Result r = run({"records", "--format", "ndjson", "--draft-headers", name, sample("crafted/" + name + ".pcapng").string()});
  ASSERT_EQ(r.status, 0) << r.err;
  for (const char* part : {R"("key":"order-1")", R"([1,"draft-producer","client.id"])", R"("correlation.id"])", R"([-5,"checkout","app.name"])", R"([-200,"ours"])",
                           R"("via":"produce")", R"("via":"fetch")", R"("headers":[])"})
    EXPECT_NE(r.out.find(part), std::string::npos) << part << "\nin\n" << r.out;
  EXPECT_EQ(std::count(r.out.begin(), r.out.end(), '\n'), 6);
}

INSTANTIATE_TEST_SUITE_P(Drafts, CraftedSample, ::testing::Values("kip82-varint", "kip82-int32", "kip82-compact"),
                         [](const auto& i) { return std::string(i.param).substr(6); });

}  // namespace
}  // namespace kparse::test
