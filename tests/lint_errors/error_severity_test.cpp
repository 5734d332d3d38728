// SPDX-License-Identifier: MIT
// The table of error codes against Kafka's own list, and what it says of APIs and rules.
#include "lint/error_severity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kparse/schema.h"
#include "lint/error_rule.h"

namespace kparse::lint {
namespace {

TEST(ErrorSeverity, EachCodeOfKafkaHasAnAdvice) {
  std::size_t codes = 0;
  for (const ErrorName& e : errors()) {
    if (e.code == 0) continue;
    ++codes;
    const ErrorAdvice* const a = error_advice(e.code);
    ASSERT_NE(a, nullptr) << e.name;
    EXPECT_EQ(a->name, e.name);
    EXPECT_TRUE(a->advice.ends_with('.')) << a->advice;
  }
  EXPECT_EQ(codes, error_advice().size());
  EXPECT_EQ(error_advice(0), nullptr);
  EXPECT_EQ(error_advice(9999), nullptr);
}

TEST(ErrorSeverity, DependsOnTheApi) {
  const ErrorAdvice& no_topic = *error_advice(3);
  EXPECT_EQ(no_topic.in("Metadata"), Severity::notice);
  EXPECT_EQ(no_topic.in("DeleteTopics"), Severity::error);
  EXPECT_EQ(no_topic.in("CreatePartitions"), Severity::error);
  EXPECT_EQ(no_topic.in("DescribeConfigs"), Severity::warning);
  EXPECT_EQ(error_advice(35)->in("ApiVersions"), Severity::info);
  EXPECT_EQ(error_advice(35)->in("Fetch"), Severity::error);
  EXPECT_EQ(error_advice(1)->in("OffsetForLeaderEpoch"), Severity::notice);
  EXPECT_EQ(error_advice(1)->in("Fetch"), Severity::warning);
  EXPECT_EQ(error_advice(-1)->in("Produce"), Severity::error);
}

TEST(ErrorSeverity, ExceptionsNameApis) {
  for (const ErrorAdvice& a : error_advice()) {
    std::string_view rest = a.but;
    while (!rest.empty()) {
      const std::string_view api = rest.substr(0, rest.find('='));
      EXPECT_NE(find_api(api), nullptr) << a.name << ": " << api;
      rest.remove_prefix(rest.find(' ') + 1);
    }
  }
}

// Rules of `instead` are called before the others only when the rule names them.
TEST(ErrorSeverity, RulesInsteadAreKnown) {
  for (const ErrorAdvice& a : error_advice())
    for (const std::string_view id : a.instead) {
      EXPECT_NE(find_rule(id), nullptr) << a.name << ": " << id;
      EXPECT_NE(std::ranges::find(error_rules_instead, id), std::end(error_rules_instead)) << a.name << ": " << id;
    }
}

}  // namespace
}  // namespace kparse::lint
