// SPDX-License-Identifier: MIT
// More of what a rule speaks of, and of what it doesn't: variants/RULE.what-is-different.yaml, written as fixtures are.
#include <gtest/gtest.h>

#include <algorithm>

#include "support.h"

namespace kparse::test {
namespace {

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

class Variants : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    rule_ = find_rule(GetParam().substr(0, GetParam().find('.')));
    if (!rule_) GTEST_FAIL() << GetParam() << " names no rule";
    fixture_ = read_fixture(lint_folder("variants/") + GetParam() + ".yaml");
  }
  void nothing_else(const std::vector<Finding>& findings) const {
    for (const Finding& f : findings) {
      const bool may = std::find(fixture_.also.begin(), fixture_.also.end(), f.rule->id) != fixture_.also.end();
      EXPECT_TRUE(f.rule == rule_ || may || f.rule->severity < Severity::warning) << text_of({f});
    }
  }
  const RuleInfo* rule_ = nullptr;
  Fixture fixture_;
};

TEST_P(Variants, Hit) {
  ASSERT_NE(rule_, nullptr);
  if (fixture_.hit.empty()) return;
  const std::vector<Finding> findings = lint(fixture_.hit, fixture_.options);
  const auto own = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.rule == rule_; });
  ASSERT_NE(own, findings.end()) << text_of(findings);
  if (!fixture_.message.empty()) {
    EXPECT_EQ(own->message, fixture_.message);
  }
  if (fixture_.count > 0) {
    EXPECT_EQ(own->count, fixture_.count);
  }
  nothing_else(findings);
}

TEST_P(Variants, Miss) {
  ASSERT_NE(rule_, nullptr);
  if (fixture_.miss.empty()) return;
  const std::vector<Finding> findings = lint(fixture_.miss, fixture_.options);
  for (const Finding& f : findings) EXPECT_NE(f.rule, rule_) << text_of({f});
  nothing_else(findings);
}

INSTANTIATE_TEST_SUITE_P(Rules, Variants, testing::ValuesIn(fixtures_of("variants")), test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Variants);

}  // namespace
}  // namespace kparse::test
