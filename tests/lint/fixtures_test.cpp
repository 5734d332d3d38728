// SPDX-License-Identifier: MIT
// Each rule speaks of its fixture's hit, with the message that the catalogue shows, and is silent about the near miss.
// A rule's file and its fixture are all that there is to a rule: nothing here names one.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support.h"

namespace kparse::test {
namespace {

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

bool grave(const Finding& f) { return f.rule->severity >= Severity::warning; }
bool is_in(const std::vector<std::string>& list, std::string_view id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

class Fixtures : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    rule_ = find_rule(GetParam());
    if (!rule_) GTEST_FAIL() << GetParam() << " is no rule";
    fixture_ = read_fixture(lint_folder("fixtures/") + GetParam() + ".yaml");
  }
  const RuleInfo* rule_ = nullptr;
  Fixture fixture_;
};

TEST_P(Fixtures, Hit) {
  ASSERT_NE(rule_, nullptr);
  const std::vector<Finding> findings = lint(fixture_.hit, fixture_.options);
  const auto own = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.rule == rule_; });
  ASSERT_NE(own, findings.end()) << text_of(findings);
  EXPECT_EQ(own->message, rule_->example);
  if (!fixture_.message.empty()) {
    EXPECT_EQ(own->message, fixture_.message);
  }
  for (const Finding& f : findings)
    EXPECT_TRUE(f.rule == rule_ || !grave(f) || is_in(fixture_.also, f.rule->id)) << text_of({f});
  for (const std::string& id : fixture_.also)
    EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return f.rule->id == id; }))
        << id << " is in `also` and not said";
}

TEST_P(Fixtures, Miss) {
  ASSERT_NE(rule_, nullptr);
  const std::vector<Finding> findings = lint(fixture_.miss, fixture_.options);
  for (const Finding& f : findings) {
    EXPECT_NE(f.rule, rule_) << text_of({f});
    EXPECT_TRUE(f.rule == rule_ || !grave(f) || is_in(fixture_.also, f.rule->id)) << text_of({f});
  }
}

// It can be turned off, and be the only one.
TEST_P(Fixtures, Selected) {
  ASSERT_NE(rule_, nullptr);
  LintOptions options = fixture_.options;
  options.ignore = {std::string(rule_->id)};
  for (const Finding& f : lint(fixture_.hit, options)) EXPECT_NE(f.rule, rule_);
  options.ignore.clear();
  options.select = {std::string(rule_->id)};
  const std::vector<Finding> findings = lint(fixture_.hit, options);
  ASSERT_FALSE(findings.empty());
  for (const Finding& f : findings) EXPECT_EQ(f.rule, rule_);
}

INSTANTIATE_TEST_SUITE_P(Rules, Fixtures, testing::ValuesIn(fixtures_of("fixtures")), test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Fixtures);

TEST(Catalogue, EachRuleHasAFixture) {
  const std::vector<std::string> names = fixtures_of("fixtures");
  for (const RuleInfo* rule : rule_catalogue()) EXPECT_TRUE(is_in(names, rule->id)) << rule->id << " has no fixture";
}

TEST(Catalogue, EachRuleIsExplained) {
  for (const RuleInfo* rule : rule_catalogue()) {
    SCOPED_TRACE(std::string(rule->id));
    EXPECT_TRUE(rule->id.starts_with("KP-"));
    for (const std::string_view text : {rule->condition, rule->why, rule->fix, rule->example, rule->sources}) {
      EXPECT_FALSE(text.empty());
      EXPECT_EQ(text.find('\n'), std::string_view::npos);
    }
    EXPECT_TRUE(rule->example.ends_with(".")) << rule->example;
    for (const std::string_view id : rule->instead) EXPECT_NE(find_rule(id), nullptr) << id;
    for (const RuleOption& option : rule->options) EXPECT_FALSE(option.meaning.empty()) << option.name;
  }
}

}  // namespace
}  // namespace kparse::test
